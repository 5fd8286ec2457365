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

    let contexts: EntityContexts

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.immediate("/api/v1/custom_emojis", .open, list)
        endpoints.immediate("/emoji/:key/:name", .open, image)
    }

    @Sendable private func list(_ request: Request, _ context: RequestContext) throws -> Response {
        let entities = try contexts.make(for: request)
        var json = JSONWriter(capacity: 256 * (1 + entities.emoji.all.count))
        json.array { for emoji in entities.emoji.all { $0.emoji(emoji, entities) } }
        return Response(json: json)
    }

    @Sendable private func image(_ request: Request, _ context: RequestContext) throws -> Response {
        let (key, name) = (try context.segment("key"), try context.segment("name"))
        let shortcode = String(Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") }))
        guard let emoji = contexts.emoji.current[shortcode], emoji.hash == key, emoji.fileName == name else {
            throw FeedError(.notFound, "No such file")
        }
        return FileResponse.response(
            to: request, bytes: ByteBuffer(bytes: emoji.content), type: emoji.format.mediaType,
            tag: EntityTag(emoji.hash), headers: Self.headers)
    }
}

extension JSONWriter {
    /// Writes the field `emojis`: the custom emoji that texts contain.
    mutating func emojis(in texts: @autoclosure () -> [String], _ entities: EntityContext) {
        // Most servers have no custom emoji.
        guard !entities.emoji.isEmpty else { return empty("emojis") }
        let texts = texts()
        array("emojis") { for emoji in entities.emoji.used(in: texts) { $0.emoji(emoji, entities) } }
    }

    /// Writes a CustomEmoji entity.
    mutating func emoji(_ emoji: CustomEmoji, _ entities: EntityContext) {
        object {
            $0.field("shortcode", emoji.shortcode)
            for name: StaticString in ["url", "static_url"] {
                $0.key(name)
                $0.string(entities.base, emoji.path)
            }
            $0.field("visible_in_picker", true)
            $0.field("category", nil)
        }
    }
}

extension Status {
    /// The texts that may contain custom emoji.
    var textsWithEmoji: [String] { [text, spoilerText] + (poll?.options.map(\.title) ?? []) }
}

extension Account {
    /// The texts of the profile that may contain custom emoji.
    var textsWithEmoji: [String] { [displayName, note] + fields.flatMap { [$0.name, $0.value] } }
}
