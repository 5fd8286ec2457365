/// A name from a client, and the name it is stored under.
package struct NameRow: Sendable {
    package let raw: String
    package let expected: String

    package init(_ raw: String, _ expected: String) {
        self.raw = raw
        self.expected = expected
    }

    /// A name that remains unchanged.
    package static func same(_ name: String) -> NameRow { NameRow(name, name) }

    /// A grapheme cluster of several scalars.
    package static let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}"
}
