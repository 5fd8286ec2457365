import FeedCore
import HTTPTypes

/// Decides whether the session cookie of a request counts, and whether a form comes from a page of this server. Browsers
/// add cookies to requests that other sites make, so a cookie proves who sends a request, but not who wrote it.
///
/// A page may be opened from anywhere. Everything else must come from a page of this server, according to
/// `Sec-Fetch-Site` or, from browsers that do not send it (over plain http, none does), to `Origin`.
struct CrossSiteRule: Sendable {
    /// The kind of content at the path of a request.
    enum Place: Sendable, CaseIterable {
        case page
        /// The API, with its streams.
        case api
        /// Files, pictures and what else is the same for everyone.
        case file
    }

    enum Verdict: Sendable {
        case counts
        /// The request is answered as if it had no cookie.
        case ignored
        /// Another site makes the request.
        case foreign
    }

    let place: Place
    /// Whether the method is GET or HEAD.
    var isRead = true
    var isWebSocket = false
    /// The value of `Sec-Fetch-Site`.
    var site: String?
    /// The value of `Origin`.
    var origin: String?
    /// The address of this server without a trailing slash.
    let server: String

    var verdict: Verdict {
        if isRead, place == .file { return .ignored }
        if isRead, place == .page, !isWebSocket { return .counts }
        if isOwn { return .counts }
        // The address was typed in, or opened from another program.
        return isRead && site == "none" ? .ignored : .foreign
    }

    /// Whether a page of this server makes the request.
    private var isOwn: Bool {
        if let site { return site == "same-origin" }
        guard let origin else { return isRead }
        return origin.utf8.elementsEqual(Self.origin(of: server).utf8)
    }

    /// The origin of an address as browsers send it: without the port that the scheme implies.
    private static func origin(of address: String) -> String {
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
        where address.hasPrefix(scheme) && address.hasSuffix(port) {
            return String(address.dropLast(port.utf8.count))
        }
        return address
    }
}

extension CrossSiteRule {
    /// - Parameter server: The address of this server without a trailing slash.
    init(_ request: Request, server: String) {
        self.init(
            place: Place(request.uri.path), isRead: request.isRead,
            isWebSocket: WebSocketHandshake.isRequested(by: request), site: request.headers[.fetchSite],
            origin: request.headers[.origin], server: server)
    }

    static let foreign = ErrorResponse(
        status: .forbidden, message: "Another site has made this request",
        hint: "Open the page of this server, and try again there.")
}

extension CrossSiteRule.Place {
    private static let apiRoots: Set<Substring> = ["api", "uploads"]
    private static let fileRoots: Set<Substring> = [
        "files", "media", "avatars", "headers", "badges", "assets", "emoji", "health", "ready", "metrics", "nodeinfo",
        ".well-known", "robots.txt", "manifest.webmanifest", "sw.js", "favicon.ico", "apple-touch-icon.png",
        "FileDownload.aspx",
        "FileUpload.aspx", "ViewStatus.aspx",
    ]

    /// - Parameter path: Slashes may be repeated, which the router ignores.
    init(_ path: String) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2).map(Substring.init)
        let isOAuth = parts.first == "oauth" && parts.dropFirst().first != "authorize"
        switch parts.first {
        case let first? where Self.apiRoots.contains(first) || isOAuth: self = .api
        case let first? where Self.fileRoots.contains(first): self = .file
        default: self = .page
        }
    }
}
