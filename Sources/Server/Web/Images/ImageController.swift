import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// Avatars, profile headers and badges.
struct ImageController: Sendable {
    private static let fresh: HTTPFields = [.cacheControl: "public, max-age=300"]

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/avatars/:name", .open, use: avatar)
        endpoints.get("/headers/:name", .open, use: header)
        endpoints.get("/badges/:name", .open, use: badge)
    }

    /// The avatar of an account; generated from its username if none is set.
    @Sendable func avatar(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try await account(context)
        guard let hash = account.avatar else {
            let name = Username.key(account.username)
            return try await generated("avatar", name, request) { Identicon.png(for: name) }
        }
        return try await respond(request, tag: EntityTag(hash: hash)) {
            try await services.blobs.bytes(hash, limit: 8 << 20)
        }
    }

    @Sendable func header(_ request: Request, _ context: FeedContext) async throws -> Response {
        let name = Username.key(try await account(context).username)
        return try await generated("header", name, request) { Banner.png(for: name) }
    }

    @Sendable func badge(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let badge = Badge.allCases.first(where: { $0.rawValue + ".png" == context.parameters.get("name") }) else {
            throw FeedError.notFound
        }
        return try await generated("badge", badge.rawValue, request) { badge.png() }
    }

    private func account(_ context: FeedContext) async throws -> Account {
        let account = try await services.stores.accounts.account(named: try context.segment("name"))
        guard let account, account.suspendedAt == nil else { throw FeedError.notFound }
        return account
    }

    /// Responds with a generated picture.
    /// - Parameters:
    ///   - kind: The kind of picture. Together with `name` and the server's version, it determines the content.
    ///   - name: The username or role that the picture is generated from.
    private func generated(
        _ kind: String, _ name: String, _ request: Request, render: @Sendable @escaping () -> [UInt8]
    ) async throws -> Response {
        try await respond(request, tag: EntityTag(of: services.site.version, kind, name)) {
            await services.pictures.picture(kind + " " + name, render: render)
        }
    }

    /// Responds with a picture, or with 304 before the picture is read or rendered.
    private func respond(
        _ request: Request, tag: EntityTag, bytes: () async throws -> ByteBuffer
    ) async throws -> Response {
        if Preconditions.isNotModified(request, tag) {
            var headers = Self.fresh
            headers[.eTag] = tag.text
            return Response(status: .notModified, headers: headers)
        }
        let bytes = try await bytes()
        return try await RangeResponse.response(
            to: request, bytes: bytes, type: MediaType.sniff(Array(bytes.readableBytesView.prefix(1024)), name: ""),
            tag: tag, headers: Self.fresh)
    }
}

extension Preconditions {
    /// Whether to respond 304 to a GET or HEAD request, judged by the entity tag alone.
    static func isNotModified(_ request: Request, _ tag: EntityTag) -> Bool {
        let known = Representation(tag: tag, modified: nil, size: 0)
        return Preconditions(method: .head, headers: request.headers).decide(known, now: 0) == .notModified
    }
}
