/// Formats a number with a noun: "1 account", "2 accounts".
package enum Plural {
    package static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) " + (count == 1 ? one : many ?? one + "s")
    }
}
