/// A name that came from outside, and what it is stored under.
package struct NameRow: Sendable {
    package let raw: String
    package let expected: String

    package init(_ raw: String, _ expected: String) {
        self.raw = raw
        self.expected = expected
    }

    /// Stays as it is.
    package static func same(_ name: String) -> NameRow { NameRow(name, name) }

    /// A character of several scalars.
    package static let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}"
}
