import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// Avatars, profile headers and badges.
struct ImageController: Sendable {
    private static let fresh = "public, max-age=300"
    private static let immutable = "public, max-age=31536000, immutable"

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/avatars/:name", .open, use: avatar)
        endpoints.get("/headers/:name", .open, use: header)
        endpoints.get("/badges/:name", .open, use: badge)
    }

    /// The avatar of an account; generated from its username if none is set.
    @Sendable func avatar(_ request: Request, _ context: FeedContext) async throws -> Response {
        let owner = try await owner(context)
        if let picture = owner.avatar { return try await stored(picture, request, context, of: owner) }
        return try await generated("avatar", request, context, of: owner) { Identicon.png(for: owner.name) }
    }

    /// The header of an account; generated from its username if none is set.
    @Sendable func header(_ request: Request, _ context: FeedContext) async throws -> Response {
        let owner = try await owner(context)
        if let picture = owner.header { return try await stored(picture, request, context, of: owner) }
        return try await generated("header", request, context, of: owner) { Banner.png(for: owner.name) }
    }

    /// Responds with a picture that the account has uploaded.
    private func stored(
        _ picture: PictureVersions, _ request: Request, _ context: FeedContext, of owner: PictureOwner
    ) async throws -> Response {
        // Whatever else the query contains: addresses without a version work, too.
        let (hash, isFinal) = picture.requested((try? request.query) ?? InputValues())
        let (key, caching) = ("blob \(hash)", isFinal ? Self.immutable : Self.fresh)
        return try await respond(request, context, key, EntityTag(hash: hash), caching, while: isUnchanged(owner)) {
            try await services.pictures.picture(key) { try await services.blobs.bytes(hash, limit: 8 << 20) }
        }
    }

    @Sendable func badge(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let badge = Badge.allCases.first(where: { $0.rawValue + ".png" == context.parameters.get("name") }) else {
            throw FeedError.notFound
        }
        return try await generated("badge", badge.rawValue, request, context, while: { true }) { badge.png() }
    }

    /// The account of the path, from a cache, because pages show the same pictures again and again.
    private func owner(_ context: FeedContext) async throws -> PictureOwner {
        let name = Username.key(try context.segment("name"))
        return try await services.pictureOwners.value(for: name, cost: { _ in 512 + 2 * name.utf8.count }) {
            [accounts = services.stores.accounts] in
            guard let account = try await accounts.account(named: name), account.suspendedAt == nil else {
                throw FeedError.notFound
            }
            var dependencies = ChangeDependencies()
            dependencies.accounts = [account.id]
            let owner = PictureOwner(name: name, avatar: account.avatarVersions, header: account.headerVersions)
            return (owner, dependencies)
        }
    }

    /// Whether nothing about an account has changed.
    private func isUnchanged(_ owner: PictureOwner) -> @Sendable () -> Bool {
        { [owners = services.pictureOwners] in owners.cached(owner.name, countsHit: true) == owner }
    }

    /// Responds with a picture that is generated from a username.
    private func generated(
        _ kind: String, _ request: Request, _ context: FeedContext, of owner: PictureOwner,
        render: @Sendable @escaping () -> [UInt8]
    ) async throws -> Response {
        try await generated(kind, owner.name, request, context, while: isUnchanged(owner), render: render)
    }

    /// Responds with a generated picture.
    /// - Parameters:
    ///   - kind: The kind of picture. Together with `name` and the server's version, it determines the content.
    ///   - name: The username or role that the picture is generated from.
    private func generated(
        _ kind: String, _ name: String, _ request: Request, _ context: FeedContext,
        while isValid: @Sendable @escaping () -> Bool, render: @Sendable @escaping () -> [UInt8]
    ) async throws -> Response {
        let (key, tag) = (kind + " " + name, EntityTag(of: services.site.version, kind, name))
        return try await respond(request, context, key, tag, Self.fresh, while: isValid) {
            try await services.pictures.rendered(key, render: render)
        }
    }

    /// Responds with a picture, or with 304 before the picture is read or rendered.
    /// - Parameters:
    ///   - key: The key of the picture in the cache.
    ///   - caching: The value of Cache-Control.
    ///   - isValid: Whether later requests still get this picture.
    private func respond(
        _ request: Request, _ context: FeedContext, _ key: String, _ tag: EntityTag, _ caching: String,
        while isValid: @Sendable @escaping () -> Bool, bytes: () async throws -> ByteBuffer
    ) async throws -> Response {
        context.notes.content = ReusableContent(
            tags: [tag], isRefreshable: false, isCurrent: isValid,
            body: { [pictures = services.pictures] in isValid() ? pictures.cached(key) : nil })
        if Preconditions.isNotModified(request, tag) {
            return Response(status: .notModified, headers: [.cacheControl: caching, .eTag: tag.text])
        }
        let bytes = try await bytes()
        return try await RangeResponse.response(
            to: request, bytes: bytes, type: MediaType.sniff(Array(bytes.readableBytesView.prefix(1024)), name: ""),
            tag: tag, headers: [.cacheControl: caching])
    }
}

/// The account that a picture belongs to.
struct PictureOwner: Sendable, Equatable {
    /// The username as ``Username/key(_:)``.
    let name: String
    /// `nil` if none is set.
    let avatar: PictureVersions?
    let header: PictureVersions?
}

extension Preconditions {
    /// Whether to respond 304 to a GET or HEAD request, judged by the entity tag alone.
    static func isNotModified(_ request: Request, _ tag: EntityTag) -> Bool { isNotModified(request.headers, tag) }

    static func isNotModified(_ headers: HTTPFields, _ tag: EntityTag) -> Bool {
        let known = Representation(tag: tag, modified: nil, size: 0)
        return Preconditions(method: .head, headers: headers).decide(known, now: 0) == .notModified
    }
}
