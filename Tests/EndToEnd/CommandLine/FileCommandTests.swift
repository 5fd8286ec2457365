import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `files delete`, `upload --replace` and `upload -` against the real server.
@Suite(.hangLimit)
struct FileCommandTests {
    private static func content(_ name: String, _ server: ServerProcess) async throws -> String? {
        let response = try await RawHTTP.send(port: server.port, "GET", "/files/" + name)
        return response.status == 200 ? String(decoding: response.body, as: UTF8.self) : nil
    }

    @Test func filesAreReplacedOnlyOnRequest() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let home = people.homes[0]
        let path = try home.folder.file("a b.txt", "one")
        let address = people.server.address + "/files/a%20b.txt\n"
        #expect(try await home.run("upload", path).text == address)
        try Data("second".utf8).write(to: URL(fileURLWithPath: path))
        for _ in 0..<2 {
            let done = try await home.run("upload", path, "--replace", "--progress", "json")
            #expect(done.text == address && done.error.contains(#""done":6,"total":6"#), "\(done.error)")
        }
        #expect(try await Self.content("a%20b.txt", people.server) == "second")
        let second = try await home.run("upload", path)
        #expect(second.text.hasSuffix("/a%20b-2.txt\n"))
        #expect(second.error.contains("a b.txt is stored as a b-2.txt"), "\(second.error)")
        #expect(try await home.run("upload", path, "--replace", "--name", "new.txt").text.hasSuffix("/files/new.txt\n"))
        let empty = try home.folder.file("empty", "")
        #expect(try await home.run("upload", empty, "--replace", "--name", "new.txt").code == 0)
        #expect(try await Self.content("new.txt", people.server) == "")
        let other = try await people.homes[1].run("upload", path, "--replace")
        #expect(other.code == 4 && other.error.contains("another account"), "\(other.error)")
        #expect(try await home.run("upload", "/missing", "--replace").code == 3)
    }

    @Test func standardInputIsUploaded() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let done = try await home.run("upload", "-", "--name", "pipe.txt", input: "from a pipe\n\n")
        #expect(done.code == 0 && done.text.hasSuffix("/files/pipe.txt\n"), "\(done.error)")
        #expect(try await Self.content("pipe.txt", people.server) == "from a pipe\n\n")
        let long = String(repeating: "0123456789abcdef", count: 200_000)
        #expect(try await home.run("upload", "-", "--name", "pipe.txt", "--replace", input: long).code == 0)
        #expect(try await Self.content("pipe.txt", people.server) == long)
        #expect(try await home.run("upload", "-", "--name", "pipe.txt").text.hasSuffix("/files/pipe-2.txt\n"))
        #expect(try await home.run("upload", "-", input: "x").code == 2)
        #expect(try await home.run("upload", "a", "b", "--name", "c").code == 2)
        #expect(try await home.run("upload", "-", "--name", "", input: "x").code == 2)
        let full = try await home.run(
            "upload", "-", "--name", "x", input: "x", environment: ["TMPDIR": home.folder.path + "/missing"])
        #expect(full.code == 8 && full.error.contains("TMPDIR"), "\(full.error)")
    }

    @Test func filesAreDeleted() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let home = people.homes[0]
        for name in ["one.txt", "two 2.txt", "three.txt"] {
            #expect(try await home.run("upload", try home.folder.file(name, name)).code == 0)
        }
        let listed = try await home.run("files", environment: ["TZ": "UTC"]).text.split(separator: "\n")
        #expect(listed.count == 3 && listed.allSatisfy { $0.contains(/\d{4}-\d\d-\d\d \d\d:\d\d$/) }, "\(listed)")
        #expect(try await people.homes[1].run("files", "delete", "one.txt").code == 4)
        #expect(
            try await home.run("files", "delete", "one.txt", "two 2.txt").text == "deleted one.txt\ndeleted two 2.txt\n"
        )
        #expect(try await Self.content("one.txt", people.server) == nil)
        let some = try await home.run("files", "delete", "one.txt", "three.txt")
        #expect(
            some.code == 6 && some.text == "deleted three.txt\n" && some.error.contains("one.txt: "), "\(some.error)")
        #expect(try await home.run("files", "delete", "one.txt").code == 3)
        #expect(try await home.run("files", "delete", "a", "b").code == 3)
        let none = try await home.run("files", "list")
        #expect(none.text.isEmpty && none.error == "no files yet\n")
        #expect(try await home.run("files", "delete").code == 2)
        #expect(try await ClientHome().run("files", "delete", "x", "--server", people.server.address).code == 4)
    }
}
