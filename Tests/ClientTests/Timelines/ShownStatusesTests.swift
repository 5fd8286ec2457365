import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// The last listing of each terminal.
@Suite(.hangLimit)
struct ShownStatusesTests {
    private static let server = "https://feed.example"

    private static func listing(_ ids: String..., for username: String? = "ada") -> ShownStatuses {
        ShownStatuses(
            server: server, username: username, items: ids.map { ShownStatuses.Item(id: $0, words: "@ada words") })
    }

    @Test func listingIsThatOfOneTerminalAndAccount() throws {
        let folder = try TemporaryFolder()
        let store = ShownStatusesStore(folder: folder.path)
        func ids(_ terminal: String, _ username: String? = "ada", server: String = Self.server) -> [String]? {
            store.listing(on: terminal, server: server, username: username)?.items.map(\.id)
        }
        try store.save(Self.listing("3", "1"), on: "pts-1")
        try store.save(Self.listing("7", for: nil), on: "pts-2")
        #expect(ids("pts-1") == ["3", "1"] && ids("pts-2", nil) == ["7"])
        #expect(ids("pts-1", "bob") == nil && ids("pts-1", nil) == nil && ids("pts-2") == nil && ids("pts-3") == nil)
        #expect(ids("pts-1", server: "https://other.example") == nil)
        try store.save(Self.listing("9", for: "bob"), on: "pts-1")
        #expect(ids("pts-1") == nil && ids("pts-1", "bob") == ["9"])
        store.removeAll(server: Self.server, username: "bob")
        #expect(ids("pts-1", "bob") == nil && ids("pts-2", nil) == ["7"])
    }

    /// Such names would be paths.
    @Test(arguments: ["", "../x", "a/b", ".", "a b", String(repeating: "a", count: 200)])
    func otherNamesAreNoTerminals(name: String) throws {
        let folder = try TemporaryFolder()
        let store = ShownStatusesStore(folder: folder.path)
        try store.save(Self.listing("1"), on: name)
        #expect(store.listing(on: name, server: Self.server, username: "ada") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func fewTerminalsAreKeptAndDamagedFilesIgnored() throws {
        let folder = try TemporaryFolder()
        let store = ShownStatusesStore(folder: folder.path)
        for number in 0..<ShownStatusesStore.maximumTerminals + 5 {
            try store.save(Self.listing("\(number)"), on: "pts-\(number)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/listings")
        #expect(names.count == ShownStatusesStore.maximumTerminals)
        let name = try #require(names.first)
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/listings/" + name))
        #expect(store.listing(on: String(name.dropLast(5)), server: Self.server, username: "ada") == nil)
    }
}
