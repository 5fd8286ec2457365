/// A search for statuses as it was written, without what only a database knows.
package struct SearchQuery: Sendable, Equatable {
    /// Something that the text of a status contains.
    package struct Term: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// A token.
            case word(String)
            /// The beginning of a token.
            case prefix(String)
            /// Two or more tokens that follow each other.
            case phrase([String])
        }

        package var kind: Kind
        /// Whether the status must not contain it.
        package var isExcluded: Bool

        package init(_ kind: Kind, isExcluded: Bool = false) {
            self.kind = kind
            self.isExcluded = isExcluded
        }
    }

    /// Something that a status has. The raw values are those of the operator `has:`.
    package enum Attachment: String, Sendable, CaseIterable { case media, image, video, audio, poll, link }

    /// A kind of status. The raw values are those of the operator `is:`.
    package enum Property: String, Sendable, CaseIterable { case reply, sensitive }

    /// A property of a status other than its text.
    package struct Fact: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case fromMe
            case from(AccountHandle)
            case has(Attachment)
            case `is`(Property)
            /// The language tag in lowercase.
            case language(String)
        }

        package var kind: Kind
        /// Whether statuses with this property are excluded.
        package var isExcluded: Bool

        package init(_ kind: Kind, isExcluded: Bool = false) {
            self.kind = kind
            self.isExcluded = isExcluded
        }
    }

    /// A status must match all of them. Each occurs once.
    package var terms: [Term] = []
    package var facts: [Fact] = []
    /// Only statuses created before this time, in milliseconds since 1970.
    package var before: Int64?
    /// Only statuses created at this time or later, in milliseconds since 1970.
    package var after: Int64?

    package init() {}

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { terms.isEmpty && facts.isEmpty && before == nil && after == nil }
}
