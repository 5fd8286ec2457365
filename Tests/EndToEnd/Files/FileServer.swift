import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A server with three accounts: `ada` and `eve` are members, `root` is an admin.
final class FileServer: Sendable {
    /// The server of the suite, started by ``FileServerTrait``.
    @TaskLocal static var current: FileServer?

    let process: ServerProcess
    let ada: String
    let eve: String
    let root: String

    private init(_ process: ServerProcess, ada: String, eve: String, root: String) {
        self.process = process
        self.ada = ada
        self.eve = eve
        self.root = root
    }

    static func here() throws -> FileServer { try #require(current, "the suite has no server") }

    /// - Parameter arguments: Additional options of `serve`.
    static func start(
        folder: TemporaryFolder? = nil, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> FileServer {
        let process = try await ServerProcess.start(folder: folder, arguments, environment: environment)
        try await process.addAccount("ada")
        try await process.addAccount("eve")
        try await process.addAccount("root", role: .admin)
        return FileServer(
            process, ada: try await process.token("ada"), eve: try await process.token("eve"),
            root: try await process.token("root"))
    }

    /// The same accounts on another server with the same folder.
    func restarted() async throws -> FileServer {
        moved(to: try await ServerProcess.start(folder: process.folder))
    }

    /// The same accounts on a server with a copy of the feed.
    func moved(to other: ServerProcess) -> FileServer { FileServer(other, ada: ada, eve: eve, root: root) }

    var port: Int { process.port }
    var address: String { process.address }
}

// MARK: - Requests

extension FileServer {
    static func path(_ name: String) -> String {
        "/files/" + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name)
    }

    static func authorization(_ token: String) -> String { "Authorization: Bearer \(token)" }

    func get(_ name: String, _ headers: [String] = []) async throws -> RawHTTP.Response {
        try await RawHTTP.send(port: port, "GET", Self.path(name), headers: headers)
    }

    func head(_ name: String, _ headers: [String] = []) async throws -> RawHTTP.Response {
        try await RawHTTP.send(port: port, "HEAD", Self.path(name), headers: headers)
    }

    /// - Parameter token: The token of the request; `nil` for Ada's.
    @discardableResult
    func put(
        _ name: String, _ content: Data, _ headers: [String] = [], as token: String? = nil
    ) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: port, "PUT", Self.path(name), headers: headers + [Self.authorization(token ?? ada)], body: content)
    }

    @discardableResult
    func delete(_ name: String, _ headers: [String] = [], as token: String? = nil) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: port, "DELETE", Self.path(name), headers: headers + [Self.authorization(token ?? ada)])
    }

    /// Stores a file and verifies that it exists.
    func store(_ name: String, _ content: Data, as token: String? = nil) async throws {
        let response = try await put(name, content, as: token)
        try #require([201, 204].contains(response.status), "\(name): \(response.status) \(response.text)")
    }

    /// A request header as raw bytes, including its empty line.
    func request(_ method: String, _ target: String, _ headers: [String], as token: String? = nil) -> Data {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        let all = lines + (token.map { [Self.authorization($0)] } ?? [])
        return Data((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

// MARK: - What is stored

/// A file as listed by the server.
struct ListedFile: Decodable, Sendable, Equatable {
    let name: String
    let size: Int
    let type: String
    let sha256: String
    let url: String

    private struct List: Decodable { let files: [ListedFile] }

    /// Reads `{"files":[…]}`.
    static func list(_ body: Data) throws -> [ListedFile] { try JSONDecoder().decode(List.self, from: body).files }
}

/// The report of `feedserver gc`.
struct Collected: Equatable {
    let removed: Int
    let unfinished: Int
    let kept: Int

    init?(_ text: String) {
        let words = text.split { " \n".contains($0) }
        func number(after word: String) -> Int? {
            words.indices.lazy.compactMap { index in
                words[index] == word && index + 1 < words.endIndex ? Int(words[index + 1]) : nil
            }.first
        }
        guard let removed = number(after: "removed"), let unfinished = number(after: "and"),
            let kept = number(after: "kept")
        else { return nil }
        self.removed = removed
        self.unfinished = unfinished
        self.kept = kept
    }
}

extension FileServer {
    /// All files of an account, from all pages.
    func list(as token: String? = nil) async throws -> [ListedFile] {
        var files: [ListedFile] = []
        while true {
            let after = files.last.flatMap { $0.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) }
            let query = "/files?limit=200" + (after.map { "&after=" + $0 } ?? "")
            let response = try await RawHTTP.send(
                port: port, "GET", query, headers: [Self.authorization(token ?? ada)])
            try #require(response.status == 200, "\(response.text)")
            let page = try ListedFile.list(response.body)
            files += page
            if page.count < 200 { return files }
        }
    }

    /// The hashes of all blobs on the disk.
    func blobs() -> Set<String> { Self.blobs(in: process.data) }

    /// The hashes of all blobs in a data folder or a folder of backups.
    static func blobs(in folder: String) -> Set<String> {
        let entries = FileManager.default.enumerator(atPath: folder + "/blobs")
        let paths: [String] = entries?.compactMap { $0 as? String } ?? []
        let names: [String] = paths.map { URL(fileURLWithPath: $0).lastPathComponent }
        return Set(names.filter { $0.utf8.count == 64 })
    }

    /// The files in the folder of unfinished uploads.
    func unfinished() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: process.data + "/tmp")) ?? []
    }

    /// Waits until no upload is unfinished: the server notices a closed connection a moment later.
    func settled() async throws -> Bool {
        do {
            try await Wait.until("no upload is unfinished") { unfinished().isEmpty }
            return true
        } catch is WaitTimeout {
            return false
        }
    }

    /// Runs `feedserver gc` for blobs of any age.
    func collect() async throws -> Collected {
        let done = try await process.admin("gc", "--grace", "0")
        try #require(done.code == 0, "\(done.error)")
        return try #require(Collected(done.text), "\(done.text)")
    }

    func isAlive() async throws -> Bool {
        try await RawHTTP.send(port: port, "GET", "/health").status == 200
    }
}

// MARK: - One server for a suite

/// Starts a server for all tests of a suite, which access it with ``FileServer/here()``.
struct FileServerTrait: SuiteTrait, TestScoping {
    let options: [String]
    let prepare: @Sendable (FileServer) async throws -> Void

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = try await FileServer.start(options)
        try await prepare(server)
        try await FileServer.$current.withValue(server) { try await function() }
        #expect(try await server.isAlive())
    }
}

extension Trait where Self == FileServerTrait {
    static func fileServer(
        _ options: String..., prepare: @escaping @Sendable (FileServer) async throws -> Void = { _ in }
    ) -> Self {
        FileServerTrait(options: options, prepare: prepare)
    }
}
