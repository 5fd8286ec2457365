import FeedCore
import FeedFiles
import FeedStore
import HTTPTypes
import NIOCore
import Synchronization

/// Avatars, profile headers and badges.
struct AvatarController: Sendable {
    private static let fresh = "public, max-age=300"
    private static let immutable = "public, max-age=31536000, immutable"

    let accounts: AccountStore
    let blobs: BlobStore
    let pictures: PictureCache
    /// The accounts whose pictures are shown, by name (``Username/key(_:)``).
    let owners: ChangeLogCache<String, PictureOwner>
    /// The version of the server, which generated pictures depend on.
    let version: String

    /// A picture, and how long clients may keep it.
    private struct Picture: Sendable {
        enum Source: Sendable {
            case blob(BlobHash)
            case rendered(@Sendable () -> [UInt8])
        }

        /// The key in the cache.
        let key: String
        let tag: EntityTag
        /// The value of Cache-Control.
        let caching: String
        /// Whether search engines are asked to ignore the picture.
        var isNoindex = false
        let source: Source

        /// The header fields of every response with the picture.
        var headers: HTTPFields {
            var headers: HTTPFields = [.cacheControl: caching]
            headers.setIndexing(isRefused: isNoindex)
            return headers
        }
    }

    func addEndpoints(to endpoints: Endpoints) {
        add("/avatars/:name", to: endpoints) { request, owner in
            guard let stored = owner.avatar else {
                return generated("avatar", owner.name) { DefaultAvatar.png(for: owner.name) }
            }
            return self.stored(stored, of: owner, request)
        }
        add("/headers/:name", to: endpoints) { request, owner in
            guard let stored = owner.header else {
                return generated("header", owner.name) { DefaultHeader.png(for: owner.name) }
            }
            return self.stored(stored, of: owner, request)
        }
        endpoints.get("/badges/:name", .open) { request, context in
            known(try badge(context), to: request)
        } otherwise: { request, context in
            try await response(with: try badge(context), to: request)
        }
    }

    /// Adds an endpoint for pictures of accounts.
    private func add(
        _ path: String, to endpoints: Endpoints,
        picture: @escaping @Sendable (Request, PictureOwner) -> Picture
    ) {
        endpoints.get(path, .open) { request, context in
            let name = Username.key(try context.segment("name"))
            guard let owner = owners.cached(name, countsHit: true) else { return nil }
            return known(picture(request, owner), to: request)
        } otherwise: { request, context in
            try await response(with: picture(request, try await owner(context)), to: request)
        }
    }

    /// A picture that the account has uploaded.
    private func stored(_ versions: PictureVersions, of owner: PictureOwner, _ request: Request) -> Picture {
        // Whatever else the query contains: addresses without a version work, too.
        let (hash, isFinal) = versions.requested((try? request.query) ?? RequestParameters())
        return Picture(
            key: "blob \(hash)", tag: EntityTag(hash: hash), caching: isFinal ? Self.immutable : Self.fresh,
            isNoindex: owner.isNoindex, source: .blob(hash))
    }

    /// A generated picture.
    /// - Parameters:
    ///   - kind: The kind of picture. Together with `name` and the server's version, it determines the content.
    ///   - name: The username or role that the picture is generated from.
    private func generated(_ kind: String, _ name: String, render: @escaping @Sendable () -> [UInt8]) -> Picture {
        Picture(
            key: kind + " " + name, tag: EntityTag(of: version, kind, name), caching: Self.fresh,
            source: .rendered(render))
    }

    private func badge(_ context: RequestContext) throws(FeedError) -> Picture {
        guard let badge = RoleBadge.allCases.first(where: { $0.rawValue + ".png" == context.parameters.get("name") })
        else {
            throw .notFound
        }
        return generated("badge", badge.rawValue) { badge.png() }
    }

    /// The account of the path, from a cache, because pages show the same pictures again and again.
    private func owner(_ context: RequestContext) async throws -> PictureOwner {
        let name = Username.key(try context.segment("name"))
        return try await owners.value(for: name, cost: { _ in 512 + 2 * name.utf8.count }) {
            [accounts] in
            guard let account = try await accounts.account(named: name), account.suspendedAt == nil else {
                throw FeedError.notFound
            }
            var dependencies = CacheInvalidation()
            dependencies.accounts = [account.id]
            let owner = PictureOwner(
                name: name, avatar: account.avatarVersions, header: account.headerVersions,
                isNoindex: account.privacy.contains(.noindex))
            return (owner, dependencies)
        }
    }

    /// Responds from memory, with 304 if the client has the picture.
    /// - Returns: `nil` if the picture has to be read or rendered.
    private func known(_ picture: Picture, to request: Request) -> Response? {
        if Preconditions.isNotModified(request.headers, picture.tag) {
            var headers = picture.headers
            headers[.eTag] = picture.tag.headerValue
            return Response(status: .notModified, headers: headers)
        }
        return pictures.cached(picture.key).map { response(with: picture, $0, to: request) }
    }

    private func response(with picture: Picture, to request: Request) async throws -> Response {
        if let response = known(picture, to: request) { return response }
        let bytes =
            switch picture.source {
            case .blob(let hash):
                try await pictures.picture(picture.key) {
                    try await blobs.bytes(hash, limit: 8 << 20)
                }
            case .rendered(let render): try await pictures.rendered(picture.key, render: render)
            }
        return response(with: picture, bytes, to: request)
    }

    private func response(with picture: Picture, _ bytes: ByteBuffer, to request: Request) -> Response {
        FileResponse.response(
            to: request, bytes: bytes, type: ContentType.sniff(Array(bytes.readableBytesView.prefix(1024)), name: ""),
            tag: picture.tag, headers: picture.headers)
    }
}

/// The account that a picture belongs to.
struct PictureOwner: Sendable {
    /// The username as ``Username/key(_:)``.
    let name: String
    /// `nil` if none is set.
    let avatar: PictureVersions?
    let header: PictureVersions?
    let isNoindex: Bool
}

/// An avatar or a header that an account has set, and the queries of its addresses. They change with the picture, so that
/// everybody may keep what an address has given.
struct PictureVersions: Sendable, Equatable {
    let image: BlobHash
    /// `image` unless that is animated.
    let still: BlobHash

    /// - Returns: `nil` if no picture is set.
    init?(_ image: BlobHash?, still: BlobHash?) {
        guard let image else { return nil }
        self.image = image
        self.still = still ?? image
    }

    var query: String { "?v=" + Self.version(image) }

    /// The query of the still image: ``query`` unless the picture is animated.
    var stillQuery: String { still == image ? query : "?static=" + Self.version(still) }

    /// Resolves an address, whose version may be missing or outdated.
    /// - Returns: The blob, and whether the address will always refer to it.
    func requested(_ query: RequestParameters) -> (hash: BlobHash, isFinal: Bool) {
        if let version = query["static"] { return (still, version == Self.version(still)) }
        return (image, query["v"] == Self.version(image))
    }

    private static func version(_ hash: BlobHash) -> String { String(Substring(hash.description.utf8.prefix(8))) }
}

extension Account {
    var avatarVersions: PictureVersions? { PictureVersions(avatar, still: avatarStatic) }
    var headerVersions: PictureVersions? { PictureVersions(header, still: headerStatic) }

    /// The path and query of the avatar.
    var avatarPath: String { "/avatars/" + username + (avatarVersions?.query ?? "") }
}

/// A cache of pictures with a maximum size. A picture depends only on its key.
package final class PictureCache: Sendable {
    /// The approximate size of an entry in bytes, in addition to its key and its picture.
    private static let overhead = 256

    private let limit: Int
    private let pictures: Mutex<LRUCache<String, ByteBuffer>>

    /// - Parameter limit: The maximum total size in bytes.
    package init(limit: Int) {
        self.limit = limit
        pictures = Mutex(LRUCache(limit: limit))
    }

    /// The picture for `key`, if it is in the cache.
    func cached(_ key: String) -> ByteBuffer? { pictures.withLock { $0.value(for: key) } }

    /// The picture for `key`, which `load` reads if it is not in the cache.
    func picture(_ key: String, load: () async throws -> ByteBuffer) async throws -> ByteBuffer {
        if let cached = cached(key) { return cached }
        let picture = try await load()
        keep(picture, for: key)
        return picture
    }

    /// The picture for `key`. It is not rendered on an event loop, because that would delay other clients.
    func rendered(_ key: String, render: @Sendable @escaping () -> [UInt8]) async throws -> ByteBuffer {
        try await picture(key) {
            await withTaskExecutorPreference(globalConcurrentExecutor) { ByteBuffer(bytes: render()) }
        }
    }

    /// A large picture is not kept, since a few of them would displace all others.
    private func keep(_ picture: ByteBuffer, for key: String) {
        let cost = picture.readableBytes + key.utf8.count + Self.overhead
        guard cost <= limit / 16 else { return }
        pictures.withLock { $0.insert(picture, for: key, cost: cost) }
    }
}
