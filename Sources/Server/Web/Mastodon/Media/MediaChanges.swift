import FeedAPI
import FeedCore

extension MediaDraft {
    /// Reads `media_attributes`, with which an edit changes the descriptions and focal points of attached files.
    static func changes(_ input: InputValues) throws(FeedError) -> [Int64: MediaDraft] {
        var changes: [Int64: MediaDraft] = [:]
        for attributes in try input.objects("media_attributes") ?? [] {
            guard let text = attributes["id"], text.isDigits, let id = Int64(text) else { continue }
            var change = MediaDraft()
            change.description = attributes["description"]
            if let focus = attributes["focus"], !focus.isEmpty { change.focus = try MediaFocus(parsing: focus) }
            changes[id] = change
        }
        return changes
    }
}
