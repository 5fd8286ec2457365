/// The names of hashtags.
package enum Hashtag {
    /// The name of a hashtag without `#`, as written.
    /// - Returns: `nil` unless a status could contain it.
    package static func name(_ text: String) -> String? {
        let name = text.utf8.first == UInt8(ascii: "#") ? String(text.unicodeScalars.dropFirst()) : text
        guard name.utf8.count <= 200, case .hashtag(let found)? = TextParser.parse("#" + name).first, found == name
        else { return nil }
        return name
    }

    /// The distinct keys of hashtags, in lowercase.
    package static func keys(_ tags: [String]) -> Set<String> { Set(tags.map { $0.lowercased() }) }
}
