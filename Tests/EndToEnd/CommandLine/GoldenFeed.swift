import FeedTestSupport
import Foundation

/// A server with the statuses, notifications and the account of `Golden/Feed`. Recent times are relative to the present.
enum GoldenFeed {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

    private static let files = [
        "/api/v1/timelines/home": "timeline.json", "/api/v1/statuses/2020": "status.json",
        "/api/v1/statuses/2020/context": "context.json", "/api/v1/statuses/3030": "picture.json",
        "/api/v2/notifications": "notifications.json", "/api/v1/accounts/lookup": "account.json",
        "/api/v1/accounts/relationships": "relationships.json", "/picture.gif": "picture.gif",
    ]

    /// - Parameters:
    ///   - change: Changes each string of each entity.
    ///   - picture: The response to requests for the picture, and for `/again`.
    static func start(
        changing change: (@Sendable (String) -> String)? = nil, picture: FaultResponse? = nil
    ) throws -> CannedServer {
        try CannedServer { request in
            let path = String(request.path.prefix { $0 != "?" })
            if let picture, path == "/picture.gif" || path == "/again" { return picture }
            if path == "/api/v1/accounts/verify_credentials" {
                return .text(#"{"id":"1","username":"ada","acct":"ada","display_name":"Ada"}"#)
            }
            guard let name = Self.files[path] ?? (path.hasSuffix("/context") ? "context.json" : nil),
                let data = try? Data(contentsOf: Self.folder.appendingPathComponent("Feed/" + name))
            else { return .text(#"{"error":"Record not found"}"#, status: 404) }
            guard name.hasSuffix(".json") else {
                var response = FaultResponse(200)
                response.body = data
                return response
            }
            let json = Self.dated(String(decoding: data, as: UTF8.self), host: request.headers["host"] ?? "")
            return .text(change.map { Self.changed(json, $0) } ?? json)
        }
    }

    /// The same JSON with other strings.
    private static func changed(_ json: String, _ change: @escaping (String) -> String) -> String {
        func visit(_ value: Any) -> Any {
            if let text = value as? String { return change(text) }
            if let list = value as? [Any] { return list.map(visit) }
            if let object = value as? [String: Any] { return object.mapValues(visit) }
            return value
        }
        guard let value = try? JSONSerialization.jsonObject(with: Data(json.utf8)),
            let data = try? JSONSerialization.data(withJSONObject: visit(value))
        else { return json }
        return String(decoding: data, as: UTF8.self)
    }

    /// Replaces `"90 seconds ago"` by the time, and `{address}` by the address of the server.
    private static func dated(_ json: String, host: String) -> String {
        let now = Date().timeIntervalSince1970
        return json.replacing("{address}", with: "http://" + host).replacing(/"(\d+) seconds ago"/) { match -> String in
            let age = Double(match.1) ?? 0
            return "\"" + Date(timeIntervalSince1970: now - age).ISO8601Format() + "\""
        }
    }

    /// Logs in to a server that accepts any token.
    static func login(_ server: CannedServer) async throws -> ClientHome {
        let home = try ClientHome()
        let done = try await home.run("login", server.address, "--token-stdin", input: "token\n")
        guard done.code == 0 else { throw StartFailure(log: done.error) }
        return home
    }
}
