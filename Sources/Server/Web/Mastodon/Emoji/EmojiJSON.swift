import FeedAPI
import FeedCore

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
