import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// Speaks to a feed server, or to any server with the Mastodon API.
///
/// ```swift
/// let client = FeedClient(server: try ServerAddress("https://feed.example"))
/// let page = try await client.timeline(.everyone, limit: 20)
/// await client.shutdown()
/// ```
public struct FeedClient: Sendable {
    public typealias Status = Entity.Status
    public typealias Account = Entity.Account

    /// Where it speaks to.
    public let server: ServerAddress
    let credential: Credential?
    let transport: Transport
    /// Files come by connections of their own, and share what their hosts allow.
    let downloads: Transport
    let hosts = HostLimits()

    /// - Parameters:
    ///   - credential: Who speaks; public things need none.
    ///   - trace: Is told each request and answer, secrets left out.
    public init(server: ServerAddress, credential: Credential? = nil, trace: (@Sendable (String) -> Void)? = nil) {
        self.server = server
        self.credential = credential
        transport = Transport(trace: trace)
        downloads = Transport(forDownloads: true, trace: trace)
    }

    /// Closes the connections. Call it once, at the end.
    public func shutdown() async {
        await transport.shutdown()
        await downloads.shutdown()
    }

    /// What the server says about itself, and how long it took to say so.
    public func ping() async throws -> (instance: Entity.Instance, elapsed: Duration) {
        let start = ContinuousClock.now
        _ = try await transport.send(request(Paths.health))
        let elapsed = ContinuousClock.now - start
        return (try await transport.send(request(Paths.instance)).decode(Entity.Instance.self), elapsed)
    }

    /// A request to this server. The credential goes along, and never anywhere else.
    func request(_ path: String, query: [(String, String?)] = []) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: server.description + path + Self.queryText(query))
        request.headers.add(name: "User-Agent", value: "feedclient")
        request.headers.add(name: "Accept", value: "application/json")
        if case .token(let token) = credential { request.headers.add(name: "Authorization", value: "Bearer " + token) }
        return request
    }

    /// The same with a form as its body.
    func form(_ path: String, _ fields: [(String, String?)]) -> HTTPClientRequest {
        var request = request(path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: Self.encoded(fields)))
        return request
    }

    private static func queryText(_ query: [(String, String?)]) -> String {
        let text = encoded(query)
        return text.isEmpty ? "" : "?" + text
    }

    static func encoded(_ fields: [(String, String?)]) -> String {
        fields.compactMap { name, value in value.map { name + "=" + escaped($0) } }.joined(separator: "&")
    }

    /// Percent-encoded but for the unreserved characters of RFC 3986.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")) ?? ""
    }
}

/// Who speaks. Never printed.
public enum Credential: Sendable, Codable, Equatable {
    /// An access token.
    case token(String)
    /// The classic dialect sends name and password each time.
    case classic(username: String, password: String)
}
