import FeedAPI
import FeedClientKit

/// A change of a profile on the command line: `display_name=Ada`.
struct ProfileSetting: Equatable {
    static let keys = [
        "display_name", "note", "locked", "bot", "discoverable", "indexable", "hide_collections", "avatar", "header",
        "privacy", "sensitive", "language",
    ]
    /// The beginning of the key of a row of the profile's table.
    private static let row = "field."

    private typealias Flag = WritableKeyPath<ProfileChanges, Bool?>
    private typealias Text = WritableKeyPath<ProfileChanges, String?>
    private typealias Picture = WritableKeyPath<ProfileChanges, ProfileChanges.Picture?>

    let key: String
    let value: String

    /// Whether it concerns one row of the table. The other rows are kept.
    var isRow: Bool { key.hasPrefix(Self.row) }

    /// - Throws: ``FeedClientError`` `.usage` if the text is not a valid change.
    init(_ text: String) throws(FeedClientError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw FeedClientError(.usage, "\"\(text)\" is not KEY=VALUE", hint: Self.hint)
        }
        (key, value) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
        guard Self.keys.contains(key) || (isRow && key.count > Self.row.count) else {
            throw FeedClientError(.usage, "A profile has no \"\(key)\"", hint: Self.hint)
        }
    }

    private static var hint: String { "The keys are " + keys.joined(separator: ", ") + " and field.NAME." }

    /// Makes the change.
    /// - Throws: ``FeedClientError`` `.usage` if the value is impossible.
    func apply(to draft: inout ProfileChanges) throws(FeedClientError) {
        if isRow { return changeRow(of: &draft) }
        if let flag { return draft[keyPath: flag] = try boolean() }
        if let picture { return draft[keyPath: picture] = value.isEmpty ? .removed : .file(value) }
        guard key != "privacy" || ["public", "unlisted", "private"].contains(value) else {
            throw FeedClientError(.usage, "privacy must be public, unlisted or private")
        }
        if let textProperty { draft[keyPath: textProperty] = value }
    }

    /// Changes or adds a row; an empty value removes it.
    private func changeRow(of draft: inout ProfileChanges) {
        let name = String(key.dropFirst(Self.row.count))
        var rows = draft.fields ?? []
        let index = rows.firstIndex { $0.name == name } ?? rows.firstIndex { $0.name.lowercased() == name.lowercased() }
        switch (index, value.isEmpty) {
        case (let index?, true): rows.remove(at: index)
        case (let index?, false): rows[index].value = value
        case (nil, true): break
        case (nil, false): rows.append(.init(name: name, value: value))
        }
        draft.fields = rows
    }

    private func boolean() throws(FeedClientError) -> Bool {
        switch value.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw FeedClientError(.usage, "\(key) must be true or false")
        }
    }

    private var flag: Flag? {
        switch key {
        case "locked": \.isLocked
        case "bot": \.isBot
        case "discoverable": \.isDiscoverable
        case "indexable": \.isIndexable
        case "hide_collections": \.hidesCollections
        case "sensitive": \.isSensitive
        default: nil
        }
    }

    private var textProperty: Text? {
        switch key {
        case "display_name": \.displayName
        case "note": \.note
        case "privacy": \.visibility
        case "language": \.language
        default: nil
        }
    }

    private var picture: Picture? {
        switch key {
        case "avatar": \.avatar
        case "header": \.header
        default: nil
        }
    }
}
