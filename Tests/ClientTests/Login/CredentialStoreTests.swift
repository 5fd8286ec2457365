import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedClientKit

/// The file of the logins.
@Suite(.hangLimit)
struct CredentialStoreTests {
    private static let login = CredentialStore.Login(
        server: "https://feed.example", username: "ada", credential: .token("secret"))

    private let folder: TemporaryFolder
    private let store: CredentialStore

    init() throws {
        folder = try TemporaryFolder()
        store = CredentialStore(folder: folder.path)
    }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    /// The name of the file with which the check writes cannot be predicted, and only that file is removed.
    @Test func checkLeavesTheFolderAsItIs() throws {
        let planted = ["credentials.json.probe-\(getpid())", "credentials.json.new", "notes.txt"]
        for name in planted { try ForeignFolder.write(name, below: folder.path) }
        try store.checkWritable()
        #expect(try names == Set(planted))
        #expect(planted.allSatisfy { FileManager.default.contents(atPath: folder.path + "/" + $0) == Data($0.utf8) })
    }

    @Test func impossibleFolderIsADiskError() {
        let error = #expect(throws: FeedClientError.self) { try CredentialStore(folder: "/dev/null/x").checkWritable() }
        #expect(error?.code == .disk)
    }

    @Test func configurationFolderMayBeALink() throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: other.path + "/config", withDestinationPath: folder.path)
        let linked = CredentialStore(folder: other.path + "/config")
        try linked.checkWritable()
        try linked.save(Self.login)
        #expect(try store.logins() == [Self.login])
        #expect(try names == ["credentials.json"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/credentials.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// A link to the file is replaced, not followed.
    @Test func linkedFileIsNotChanged() throws {
        let foreign = try ForeignFolder { path in
            try Data(#"{"logins":[]}"#.utf8).write(to: URL(fileURLWithPath: path + "/a"))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/credentials.json", withDestinationPath: foreign.path("a"))
        try store.save(Self.login)
        #expect(try store.logins() == [Self.login])
        #expect(foreign.changes == [])
    }
}
