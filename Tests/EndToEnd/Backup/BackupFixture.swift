import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A server with files and statuses, and a folder for its backups.
final class BackupFixture: Sendable {
    let server: FileServer
    private let place: TemporaryFolder

    /// The folder for backups.
    var folder: String { place.path + "/backups" }

    private init(_ server: FileServer, _ place: TemporaryFolder) {
        self.server = server
        self.place = place
    }

    static func start() async throws -> BackupFixture {
        BackupFixture(try await FileServer.start(), try TemporaryFolder())
    }

    func backUp(_ options: String...) async throws -> Finished { try await Self.backUp(server, folder, options) }

    private static func backUp(_ server: FileServer, _ folder: String, _ options: [String]) async throws -> Finished {
        try await Tool.run(
            Programs.feedserver, ["backup", folder, "--data", server.process.data] + options)
    }

    /// Restores into a folder and verifies that the restore succeeds.
    func restore(into target: TemporaryFolder, _ options: String...) async throws -> Finished {
        let done = try await Tool.run(
            Programs.feedserver, ["restore", folder, "--data", target.path + "/data"] + options)
        try #require(done.code == 0, "\(done.error)")
        return done
    }

    func post(_ text: String) async throws -> Bool {
        let response = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses",
            headers: [
                FileServer.authorization(server.ada), "Content-Type: application/x-www-form-urlencoded",
            ], body: Data("status=\(text)".utf8))
        return response.status == 200
    }

    /// All statuses of ada that contain a word like `post-1-2-end`, from another server with the same accounts.
    func posts(on server: ServerProcess) async throws -> Set<String> {
        let headers = [FileServer.authorization(self.server.ada)]
        let me = try await RawHTTP.send(
            port: server.port, "GET", "/api/v1/accounts/verify_credentials", headers: headers)
        let id = try #require(me.text.firstMatch(of: /"id":"(\d+)"/), "\(me.text)").1
        var found: Set<String> = []
        var next: String? = "/api/v1/accounts/\(id)/statuses?limit=40"
        while let path = next {
            let page = try await RawHTTP.send(port: server.port, "GET", path, headers: headers)
            try #require(page.status == 200, "\(page.text)")
            found.formUnion(page.text.matches(of: /post-\d+-\d+-end/).map { String($0.0) })
            let oldest = page.text.matches(of: /"id":"(\d+)","created_at":"[^"]*","in_reply_to_id"/).last.map { $0.1 }
            next = oldest.map { "/api/v1/accounts/\(id)/statuses?limit=40&max_id=\($0)" }
        }
        return found
    }

    /// The manifests, oldest first.
    func manifests() throws -> [Manifest] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted().map {
            try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
        }
    }

    struct Manifest: Decodable {
        struct Blobs: Decodable {
            var count: Int
            var missing: [String]
        }
        var time: String
        var epoch: String
        var blobs: Blobs
    }

    /// The path of a blob in the data folder or in the folder of backups.
    static func blob(_ hash: String, in folder: String) -> String {
        "\(folder)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
    }

    /// Changes one bit of a blob.
    static func flipBit(of hash: String, in folder: String) throws {
        let url = URL(fileURLWithPath: blob(hash, in: folder))
        var bytes = try Data(contentsOf: url)
        bytes[bytes.startIndex + bytes.count / 2] ^= 4
        let file = try FileHandle(forUpdating: url)
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
