import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes
import NIOCore

/// The custom emoji: their list, and their images at addresses that change with the content.
struct EmojiController: Sendable {
    /// A year, as long as HTTP caches keep anything (RFC 9111 §5.2.2.1).
    private static let headers: HTTPFields = [
        .cacheControl: "public, max-age=31536000, immutable", .contentSecurityPolicy: "default-src 'none'; sandbox",
    ]

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate("/api/v1/custom_emojis", .open, list)
        endpoints.immediate("/emoji/:key/:name", .open, image)
    }

    @Sendable private func list(_ request: Request, _ context: FeedContext) throws -> Response {
        let entities = try services.entities(for: request)
        var json = JSONWriter(capacity: 256 * (1 + entities.emoji.all.count))
        json.array { for emoji in entities.emoji.all { $0.emoji(emoji, entities) } }
        return Response(json: json)
    }

    @Sendable private func image(_ request: Request, _ context: FeedContext) throws -> Response {
        let (key, name) = (try context.segment("key"), try context.segment("name"))
        let shortcode = String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))
        guard let emoji = services.emoji.current[shortcode], emoji.hash == key, emoji.fileName == name else {
            throw FeedError(.notFound, "No such file")
        }
        return RangeResponse.response(
            to: request, bytes: ByteBuffer(bytes: emoji.content), type: emoji.format.mediaType,
            tag: EntityTag(emoji.hash), headers: Self.headers)
    }
}
