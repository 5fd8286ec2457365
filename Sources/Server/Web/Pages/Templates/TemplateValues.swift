/// The values of a template. A key without a value hides its sections; an empty text does not.
struct TemplateValues: Sendable {
    enum Value: Sendable {
        /// Plain text, which is escaped.
        case text(String)
        /// Stored, safe HTML, which is not escaped and in which `"~/` marks a URL on this server.
        case html(String)
        case flag
        case texts([String])
        case list([TemplateValues])
        case object(TemplateValues)
    }

    private var values = [Value?](repeating: nil, count: TemplateName.count)

    subscript(_ key: TemplateName) -> Value? {
        get { values[key.rawValue] }
        set { values[key.rawValue] = newValue }
    }

    /// Sets a text.
    mutating func set(_ key: TemplateName, _ text: String?) { self[key] = text.map { .text($0) } }

    /// Sets or clears a flag.
    mutating func set(_ key: TemplateName, _ isSet: Bool) { self[key] = isSet ? .flag : nil }
}

extension TemplateValues.Value {
    /// Whether sections of the value are hidden and inverted ones shown.
    var isEmpty: Bool {
        switch self {
        case .text, .html, .flag, .object: false
        case .texts(let texts): texts.isEmpty
        case .list(let items): items.isEmpty
        }
    }
}
