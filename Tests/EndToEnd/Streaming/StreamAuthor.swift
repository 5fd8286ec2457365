import FeedTestSupport
import Foundation
import Testing

/// An account that another one follows. It posts to any of the servers that share a database.
struct StreamAuthor: Sendable {
    private struct Entity: Decodable { let id: String }

    private let token: String

    /// - Parameters:
    ///   - token: The token of the account.
    ///   - reader: The token of an account, which follows this one from now on.
    init(_ token: String, followedBy reader: String, on server: ServerProcess) async throws {
        self.token = token
        let account = try await Self.send(server, "GET", "/api/v1/accounts/verify_credentials", token)
        _ = try await Self.send(server, "POST", "/api/v1/accounts/\(account)/follow", reader)
    }

    /// Posts a status.
    /// - Returns: Its id.
    func post(_ text: String, to server: ServerProcess) async throws -> String {
        try await Self.send(server, "POST", "/api/v1/statuses", token, status: text)
    }

    func edit(_ id: String, on server: ServerProcess) async throws {
        _ = try await Self.send(server, "PUT", "/api/v1/statuses/\(id)", token, status: "edited")
    }

    func delete(_ id: String, on server: ServerProcess) async throws {
        _ = try await Self.send(server, "DELETE", "/api/v1/statuses/\(id)", token)
    }

    /// - Returns: The id of the entity in the response.
    private static func send(
        _ server: ServerProcess, _ method: String, _ path: String, _ token: String, status: String? = nil
    ) async throws -> String {
        let body = try status.map { try JSONEncoder().encode(["status": $0]) }
        let response = try await RawHTTP.send(
            port: server.port, method, path,
            headers: ["Authorization: Bearer " + token] + (body == nil ? [] : ["Content-Type: application/json"]),
            body: body)
        try #require(response.status == 200, "\(method) \(path): \(response.status) \(response.text)")
        return try JSONDecoder().decode(Entity.self, from: response.body).id
    }
}
