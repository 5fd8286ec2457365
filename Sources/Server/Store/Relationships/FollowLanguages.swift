/// The languages of a follow, as stored: separated by spaces, or `NULL` for all.
enum FollowLanguages {
    static func pack(_ languages: [String]) -> String? { languages.isEmpty ? nil : languages.joined(separator: " ") }

    static func unpack(_ text: String?) -> [String] {
        (text ?? "").utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    /// Whether the follow `f` includes the language of the status `e`, which may have none.
    static var condition: SQL {
        "(f.languages IS NULL OR e.language IS NULL OR \(sql: includes("f.languages", "' ' || e.language || ' '")))"
    }

    /// Whether an account follows the author of the status `e`, but not in its language.
    static func excludes(_ follower: any IDTerm) -> SQL {
        """
        EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = \(follower.term) AND f.followee_id = e.account_id
            AND NOT \(condition))
        """
    }

    /// Whether a list includes a language. `replace` finds a text in both engines.
    /// - Parameter language: An expression for the language between spaces.
    static func includes(_ list: String, _ language: String) -> String {
        "replace(' ' || \(list) || ' ', \(language), '') <> ' ' || \(list) || ' '"
    }
}
