import Testing

@testable import FeedClientKit

/// Temporary files are recognized by their whole name, because others are not ours to remove.
struct TemporaryNameTests {
    @Test func namesAreNeverTheSameAndAreRecognized() {
        let names = (0..<100).map { _ in TemporaryName.make(for: "a.json") }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { TemporaryName.finalName(of: $0) == "a.json" })
        #expect(names.allSatisfy { $0.utf8.count == "a.json".utf8.count + TemporaryName.suffixLength })
    }

    @Test(arguments: [
        ("a.new-1234-4294967295", "a"), ("a.new-0a1b2c3d", "a"), ("a.new-1.new-2", "a.new-1"),
        ("\u{600}.new-1", "\u{600}"), (".new-1", ""),
    ])
    func finalNameIsThatBeforeTheMark(temporary: String, name: String) {
        #expect(TemporaryName.finalName(of: temporary) == name)
    }

    @Test(arguments: [
        "", "a", "a.new", "a.new-", "a.new-x", "a.new-1x", "a.new-1.json", "a.new-A", "a-1", "a.newer-1",
        "a.new-" + String(repeating: "1", count: 25), "a.new-1\u{301}",
    ])
    func otherNamesAreNotTemporary(name: String) {
        #expect(TemporaryName.finalName(of: name) == nil)
    }
}
