import Foundation
import NIOCore
import NIOHTTP1

/// Options for the connections of a client, and for all its requests.
///
/// ```swift
/// var options = ConnectionOptions()
/// options.userAgent = "MyApp/1.0"
/// options.proxy = try ProxySettings("socks5://127.0.0.1:9050")
/// let client = FeedClient(server: address, options: options)
/// ```
public struct ConnectionOptions: Sendable {
    /// The time to establish a connection, in seconds.
    public var connectSeconds = Int64(Timeout.seconds(10))
    /// The time until a response is complete, in seconds. Uploads, downloads and streams have limits of their own.
    public var responseSeconds = Int64(Timeout.seconds(60))
    /// The name of the program and its version.
    public var userAgent = "feedclient"
    /// Further header fields of all requests to the server.
    public var headers: [String: String] = [:]
    /// The proxy for all connections; `nil` for none.
    public var proxy: ProxySettings?

    public init() {}
}

/// The text of a trace, without secrets.
enum TraceText {
    private static let secretHeaders: Set<String> = [
        "authorization", "cookie", "set-cookie", "proxy-authorization", "sec-websocket-protocol",
    ]

    /// The headers, one per line.
    static func headers(_ headers: HTTPHeaders) -> String {
        headers.map { header in
            let isSecret = secretHeaders.contains(header.name.lowercased())
            return "\n    \(header.name): " + (isSecret ? "(hidden)" : url(header.value))
        }.joined()
    }

    /// A text that may contain URLs, without passwords before a host, and without the values of parameters that grant
    /// access.
    static func url(_ text: String) -> String {
        let userInfo = /:\/\/[^\/?#@\s]*@/.matchingSemantics(.unicodeScalar)
        let parameter =
            /(?i)([?&](?:access_token|refresh_token|token|password|code|client_secret|signature|sig|x-amz-[a-z-]+)=)[^&#>\s]*/
            .matchingSemantics(.unicodeScalar)
        return text.replacing(userInfo, with: "://(hidden)@").replacing(parameter) { "\($0.1)(hidden)" }
    }
}
