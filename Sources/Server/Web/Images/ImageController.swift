import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird

/// Avatars, profile headers and badges.
struct ImageController: Sendable {
    private static let fresh: HTTPFields = [.cacheControl: "public, max-age=300"]

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/avatars/:name", .open, use: avatar)
        endpoints.get("/headers/:name", .open, use: header)
        endpoints.get("/badges/:name", .open, use: badge)
    }

    /// The account's picture, or one made from its name.
    @Sendable func avatar(_ request: Request, _ context: FeedContext) async throws -> Response {
        let account = try await account(context)
        guard let hash = account.avatar else {
            return try await png(Identicon.png(for: Username.key(account.username)), request)
        }
        let bytes = try await services.blobs.bytes(hash, limit: 8 << 20)
        return try await RangeResponse.answer(
            request, bytes: bytes, type: MediaType.sniff(Array(bytes.readableBytesView.prefix(1024)), name: ""),
            tag: EntityTag(hash: hash), headers: Self.fresh)
    }

    @Sendable func header(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await png(Banner.png(for: Username.key(try await account(context).username)), request)
    }

    @Sendable func badge(_ request: Request, _ context: FeedContext) async throws -> Response {
        guard let badge = Badge.allCases.first(where: { $0.rawValue + ".png" == context.parameters.get("name") }) else {
            throw FeedError.notFound
        }
        return try await png(badge.png(), request)
    }

    private func account(_ context: FeedContext) async throws -> Account {
        guard let account = try await services.stores.accounts.account(named: try context.segment("name")) else {
            throw FeedError.notFound
        }
        return account
    }

    private func png(_ bytes: [UInt8], _ request: Request) async throws -> Response {
        try await RangeResponse.answer(
            request, bytes: .init(bytes: bytes), type: "image/png", tag: EntityTag(of: bytes), headers: Self.fresh)
    }
}
