import AsyncHTTPClient
@_exported public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// A client for a feed server, or for any other server with the Mastodon API.
///
/// ```swift
/// let client = FeedClient(server: try ServerAddress("https://feed.example"))
/// let page = try await client.timeline(.public, limit: 20)
/// await client.shutdown()
/// ```
public struct FeedClient: Sendable {
    public typealias Status = Entity.Status
    public typealias Account = Entity.Account

    /// The server to which requests are sent.
    public let server: ServerAddress
    private let current: CredentialRenewal
    var credential: Credential? { current.value }
    let options: ConnectionOptions
    /// Whether the server can be reached.
    public let connection: ConnectionMonitor
    let transport: Transport
    /// The transport for downloads, which use separate connections so that they do not delay other requests.
    let downloads: Transport
    /// The transport for streams, which never end.
    var streams: Transport
    let hosts = HostConnections()
    /// Called with each entity that is left out because it could not be decoded.
    let onSkip: (@Sendable (SkippedEntity) -> Void)?

    /// Replaces a credential that the server no longer accepts; `nil` if that is not possible. It may be called several
    /// times for the same one.
    public typealias Renewal = @Sendable (_ rejected: Credential) async throws -> Credential?

    /// A stream that has been silent for this long is dead: servers send a comment every 15 seconds or so.
    private static let maximumSilence = TimeAmount.seconds(45)

    /// - Parameters:
    ///   - server: The server to which requests are sent.
    ///   - credential: The credential of the account to act as; not required for public content.
    ///   - authorities: The certificate authorities to trust instead of the system's authorities.
    ///   - options: How to connect.
    ///   - cache: Holds responses for reading without a network, and so that what has not changed is not sent again.
    ///   - policy: How the cache is used.
    ///   - renewal: Called when the server refuses the access token (401), after which the request is sent again; see
    ///     ``renewed(_:in:isRejected:)``.
    ///   - trace: Called with a description of each request and response, without secrets.
    ///   - onSkip: Called with each entity of a list that is left out because it could not be decoded.
    public init(
        server: ServerAddress, credential: Credential? = nil, authorities: CertificateAuthorities? = nil,
        options: ConnectionOptions = ConnectionOptions(), cache: ResponseCache? = nil,
        policy: CachePolicy = .useProtocol, renewal: Renewal? = nil, trace: (@Sendable (String) -> Void)? = nil,
        onSkip: (@Sendable (SkippedEntity) -> Void)? = nil
    ) {
        self.server = server
        let current = CredentialRenewal(credential, renewal: renewal)
        self.current = current
        self.options = options
        let connection = ConnectionMonitor()
        self.connection = connection
        self.onSkip = onSkip
        let renew: Transport.Renewal = { try await current.token(insteadOf: $0) }
        transport = Transport(
            authorities: authorities, options: options, monitor: connection, cache: cache, policy: policy, renew: renew,
            trace: trace)
        downloads = Transport(
            for: .downloads, authorities: authorities, options: options, monitor: connection, renew: renew, trace: trace
        )
        streams = Transport(
            for: .streams(silence: Self.maximumSilence), authorities: authorities, options: options,
            monitor: connection, renew: renew, trace: trace)
    }

    /// Closes the connections. Must be called once, after the last request.
    public func shutdown() async {
        await transport.shutdown()
        await downloads.shutdown()
        await streams.shutdown()
    }

    /// A request to this server, with the credential.
    func request(_ path: String, query: [(String, String?)] = []) -> HTTPClientRequest {
        let query = Self.formEncoded(query)
        var request = HTTPClientRequest(url: server.description + path + (query.isEmpty ? "" : "?" + query))
        request.headers.add(name: "User-Agent", value: options.userAgent)
        request.headers.add(name: "Accept", value: "application/json")
        for (name, value) in options.headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let token = credential?.accessToken { request.headers.add(name: "Authorization", value: "Bearer " + token) }
        return request
    }

    /// A POST request to this server with a form as its body.
    func formRequest(_ path: String, _ fields: [(String, String?)]) -> HTTPClientRequest {
        var request = request(path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: Self.formEncoded(fields)))
        return request
    }

    /// Fields without a value are omitted.
    private static func formEncoded(_ fields: [(String, String?)]) -> String {
        fields.compactMap { name, value in value.map { percentEncoded(name) + "=" + percentEncoded($0) } }
            .joined(separator: "&")
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986.
    static func percentEncoded(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")) ?? ""
    }
}
