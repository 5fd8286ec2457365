import FeedCore
import FeedStore
import HTTPTypes

/// The cookie of a session of the pages. Its value is the secret of a token. It belongs to this host only, scripts cannot
/// read it, and browsers do not send it with the forms of other sites.
struct SessionCookie: Sendable {
    /// The time in seconds for which a browser keeps the cookie.
    private static let lifetime = 365 * 86_400

    let secret: String

    init(secret: String) { self.secret = secret }

    /// The cookie that a browser sent; `nil` for a value that cannot be a secret.
    init?(_ request: Request, isSecure: Bool) {
        guard let value = request.cookie(Self.name(isSecure: isSecure)), AuthorizationCode.isBase64URL256(value) else {
            return nil
        }
        secret = value
    }

    /// The header field that sets the cookie (RFC 6265 §4.1).
    func field(isSecure: Bool) -> HTTPField { Self.field(secret, lifetime: Self.lifetime, isSecure: isSecure) }

    /// The header field that deletes the cookie.
    static func deletion(isSecure: Bool) -> HTTPField { field("", lifetime: 0, isSecure: isSecure) }

    private static func field(_ value: String, lifetime: Int, isSecure: Bool) -> HTTPField {
        let (name, secure) = (name(isSecure: isSecure), isSecure ? "; Secure" : "")
        return HTTPField(
            name: .setCookie, value: "\(name)=\(value); Max-Age=\(lifetime); Path=/\(secure); HttpOnly; SameSite=Lax")
    }

    /// The prefix keeps other hosts of the same domain from setting the cookie (RFC 6265bis §4.1.3.2); browsers accept it
    /// over TLS only.
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-session" : "session" }
}

/// Begins and ends the sessions of the pages. A session is a token in a cookie: it is listed with the other logins of the
/// account, and ends with them.
struct Sessions: Sendable {
    let grants: Grants
    let tokens: Authentication
    let baseURL: BaseURL

    /// Begins a session, which replaces that of the browser.
    /// - Parameter proof: The stored password hash against which the password was verified, if any.
    /// - Returns: The field that sets the cookie.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    func begin(for account: Account, proof: String? = nil, _ request: Request) async throws -> HTTPField {
        let isSecure = try baseURL.isSecure(for: request)
        let token = try await grants.token(for: account.id, proof: proof, scopes: .all, application: .pages)
        try await revoke(request, isSecure: isSecure)
        return SessionCookie(secret: token.access).field(isSecure: isSecure)
    }

    /// Ends the session of the browser, if it has one.
    /// - Returns: The field that deletes the cookie.
    func end(_ request: Request) async throws -> HTTPField {
        let isSecure = try baseURL.isSecure(for: request)
        try await revoke(request, isSecure: isSecure)
        return SessionCookie.deletion(isSecure: isSecure)
    }

    private func revoke(_ request: Request, isSecure: Bool) async throws {
        guard let cookie = SessionCookie(request, isSecure: isSecure) else { return }
        try await tokens.revoke(cookie.secret)
    }
}

extension RequestContext {
    /// The account to which pages are shown; `nil` for visitors, and for tokens that may not read statuses.
    var reader: Account? { viewer.flatMap { $0.scopes.allows(.readStatuses) ? $0.account : nil } }
}

extension Request {
    /// The value of the first cookie with a name (RFC 6265 §4.2), as browsers send the most specific one first.
    func cookie(_ name: String) -> String? {
        guard headers.contains(.cookie) else { return nil }
        let start = name + "="
        let pairs = headers[values: .cookie].lazy.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map { $0.drop { $0 == UInt8(ascii: " ") } }
        return pairs.first { $0.starts(with: start.utf8) }.map { String(Substring($0.dropFirst(start.utf8.count))) }
    }
}

/// The path of a page of this server, with its query, to which a login returns. It can be the value of a header field and
/// cannot lead to another host.
struct LocalPath: Sendable {
    private static let maximumBytes = 2048

    let text: String

    /// - Returns: `nil` for anything that browsers might take for an address of another server: they read a backslash as
    ///   a slash, and remove tabs and line breaks.
    init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumBytes, bytes.first == UInt8(ascii: "/"),
            bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }

    static let home = LocalPath(unchecked: "/home")

    private init(unchecked text: String) { self.text = text }
}
