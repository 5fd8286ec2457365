import FeedCore
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix

/// Redirects every request over plain HTTP to https, except the requests of ACME servers, which get the challenge.
package struct HTTPSRedirect: Sendable {
    private let redirect: HTTPSLocation
    private let challenges: ACMEChallenges?
    private let port: @Sendable () -> Int

    /// - Parameters:
    ///   - configured: The configured address of this server with the scheme https, if any.
    ///   - port: The TCP port of the server with TLS.
    package init(configured: String?, challenges: ACMEChallenges?, port: @escaping @Sendable () -> Int) {
        redirect = HTTPSLocation(configured: configured)
        self.challenges = challenges
        self.port = port
    }

    /// Answers every method and path.
    var action: Endpoint.Action {
        .memory { request, _ in
            challenges?.isChallenge(request) == true ? nil : response(to: request)
        } otherwise: { request, _ in
            try await challenges?.response(to: request) ?? response(to: request)
        }
    }

    private func response(to request: Request) -> Response {
        guard let location = redirect.location(host: request.host, target: request.uri.string, port: port()) else {
            return ErrorResponse(status: .badRequest, message: "The Host header is missing or malformed").response
        }
        // Only 308 keeps the method, but older programs know only 301.
        return Response(
            status: request.isRead ? .movedPermanently : .permanentRedirect, headers: [.location: location])
    }
}

extension RequestHandler {
    /// The handler of the plain HTTP port beside TLS. It has no routes, and counts no requests.
    package convenience init(_ redirect: HTTPSRedirect, _ services: Services) {
        self.init(services, [], everything: redirect.action)
    }
}

/// The https address of a request that arrived over plain HTTP.
struct HTTPSLocation: Sendable {
    /// The configured address of this server, without a trailing slash; its scheme is https.
    let configured: String?

    /// - Parameters:
    ///   - host: The Host of the request.
    ///   - target: The path and the query.
    ///   - port: The TCP port of the server with TLS.
    /// - Returns: `nil` if the host is missing or malformed.
    func location(host: String?, target: String, port: Int) -> String? {
        let path = target.hasPrefix("/") ? target : "/"
        if let configured { return configured + path }
        guard let host, BaseURL.isValid(host) else { return nil }
        return "https://" + Self.name(host).lowercased() + (port == 443 ? "" : ":\(port)") + path
    }

    /// A valid host without its port.
    private static func name(_ host: String) -> Substring {
        guard host.utf8.first == UInt8(ascii: "["), let end = host.utf8.firstIndex(of: UInt8(ascii: "]")) else {
            return Substring(host.utf8.prefix { $0 != UInt8(ascii: ":") })
        }
        return host[...end]
    }
}

/// The files with which an ACME client, such as certbot, proves that this server belongs to a domain (RFC 8555 §8.3).
package struct ACMEChallenges: Sendable {
    private static let path = "/.well-known/acme-challenge/"
    private static let maximumNameLength = 128
    /// The maximum size of a file in bytes; a key authorization has fewer than 200.
    private static let maximumSize = 4096

    private let folder: String

    /// - Parameter folder: The folder that the ACME client calls the web root.
    package init(folder: String) { self.folder = folder }

    /// Whether a request asks for a challenge.
    func isChallenge(_ request: Request) -> Bool { request.isRead && request.uri.path.hasPrefix(Self.path) }

    /// Responds to a request for a challenge.
    func response(to request: Request) async throws -> Response {
        guard let name = Self.name(in: request.uri.path), let bytes = try await content(name) else {
            return ErrorResponse(status: .notFound, message: "No such challenge").response
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The name of a challenge in a path: only characters of base64url, so it is no path and no hidden file.
    static func name(in path: String) -> String? {
        let name = path.dropFirst(Self.path.count)
        guard path.hasPrefix(Self.path), (1...maximumNameLength).contains(name.utf8.count),
            name.utf8.allSatisfy(isBase64URL)
        else { return nil }
        return String(name)
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 95: true
        default: false
        }
    }

    private func content(_ name: String) async throws -> [UInt8]? {
        let path = folder + Self.path + name
        return try await NIOSingletons.posixBlockingThreadPool.runIfActive { Self.read(path) }
    }

    /// - Returns: `nil` unless it is a small regular file.
    private static func read(_ path: String) -> [UInt8]? {
        // O_NONBLOCK: a pipe of this name must not block.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}
