import AsyncHTTPClient
import Foundation

/// An HTTP or SOCKS proxy: its address and, if it asks for them, username and password.
public struct ProxySettings: Sendable, Equatable {
    private enum Kind: Equatable { case http, socks }

    private let kind: Kind
    let host: String
    let port: Int
    private let username, password: String?

    /// - Parameter text: `http://host:port`, also with a username and a password, or `socks5://host:port`. Without a scheme,
    ///   it is an HTTP proxy. Without a port, it is 1080.
    /// - Throws: ``FeedClientError`` `.usage` if the text is not the address of a proxy.
    public init(_ text: String) throws(FeedClientError) {
        let full = text.contains("://") ? text : "http://" + text
        let kinds = ["http": Kind.http, "socks5": .socks, "socks5h": .socks, "socks": .socks]
        guard let url = URL(string: full), let kind = kinds[url.scheme?.lowercased() ?? ""], let host = url.host(),
            !host.isEmpty, url.hasValidPort, ["", "/"].contains(url.path()), kind == .http || url.user() == nil
        else {
            throw FeedClientError(
                .usage, "\"\(TraceText.url(full))\" is not the address of a proxy",
                hint: "Enter an address such as http://proxy.example:3128 or socks5://127.0.0.1:1080.")
        }
        (self.kind, self.host) = (kind, host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")))
        port = url.port ?? 1080
        (username, password) = (url.user(percentEncoded: false), url.password(percentEncoded: false))
    }

    /// The proxy that the environment names for a server: `https_proxy`, `http_proxy` or `ALL_PROXY`, unless `NO_PROXY` has
    /// the host, a domain that contains it, or `*`. A server on this machine needs none.
    /// - Throws: ``FeedClientError`` `.usage` if a variable does not name a proxy.
    public static func from(
        environment: [String: String], for server: ServerAddress
    ) throws(FeedClientError) -> ProxySettings? {
        let isSecure = server.description.hasPrefix("https:")
        // A web server could set HTTP_PROXY to the value of a header.
        let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let values = (own + ["all_proxy", "ALL_PROXY"]).compactMap { environment[$0] }
        guard let text = values.first(where: { !$0.isEmpty }) else { return nil }
        let host = URL(string: server.description)?.host()?.lowercased() ?? ""
        let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return server.isLocal || isException(host, exceptions) ? nil : try ProxySettings(text)
    }

    private static func isException(_ host: String, _ list: String) -> Bool {
        list.lowercased().utf8.split(separator: UInt8(ascii: ",")).contains { item in
            var name = Substring(item).trimmingCharacters(in: .whitespaces)
            if name.hasPrefix(".") { name.removeFirst() }
            return name == "*" || !name.isEmpty && (host == name || host.hasSuffix("." + name))
        }
    }

    var isSOCKS: Bool { kind == .socks }

    /// The value of `Proxy-Authorization`; `nil` without a username.
    var authorization: String? {
        username.map { "Basic " + Data("\($0):\(password ?? "")".utf8).base64EncodedString() }
    }

    var configuration: HTTPClient.Configuration.Proxy {
        switch kind {
        case .socks: .socksServer(host: host, port: port)
        case .http:
            .server(
                host: host, port: port,
                authorization: username.map { .basic(username: $0, password: password ?? "") })
        }
    }
}
