/// Bold and dim text, if the output supports it.
struct TextStyle: Sendable {
    let hasColor: Bool

    func bold(_ text: String) -> String { wrapped(text, "1") }

    func dim(_ text: String) -> String { wrapped(text, "2") }

    private func wrapped(_ text: String, _ code: String) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
