import FeedCore
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix

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
