import FeedCore

/// Renders a template into bytes.
struct TemplateRenderer {
    /// The rendered text in UTF-8.
    private(set) var bytes: [UInt8] = []
    private let partials: [String: Template]
    /// The values of the enclosing sections, innermost last.
    private var scopes: [TemplateValues]
    private var element = ""

    init(partials: [String: Template], values: TemplateValues) {
        self.partials = partials
        scopes = [values]
        bytes.reserveCapacity(32 * 1024)
    }

    mutating func render(_ template: Template) {
        for part in template.parts { render(part) }
    }

    private mutating func render(_ part: Template.Part) {
        switch part {
        case .bytes(let text): bytes.append(contentsOf: text)
        case .value(let key): write(value(key))
        case .element: bytes.append(escapingHTML: element)
        case .section(let key, let template): if let value = value(key) { section(value, template) }
        case .inverted(let key, let template): if value(key)?.isEmpty ?? true { render(template) }
        case .partial(let name): if let template = partials[name] { render(template) }
        }
    }

    private mutating func write(_ value: TemplateValues.Value?) {
        switch value {
        case .text(let text): bytes.append(escapingHTML: text)
        case .html(let html): bytes.append(localHTML: html)
        case .flag, .texts, .list, .object, nil: break
        }
    }

    private mutating func section(_ value: TemplateValues.Value, _ template: Template) {
        switch value {
        case .text, .html, .flag: render(template)
        case .object(let values): render(template, in: values)
        case .list(let items): for values in items { render(template, in: values) }
        case .texts(let texts):
            for text in texts {
                element = text
                render(template)
            }
        }
    }

    private mutating func render(_ template: Template, in values: TemplateValues) {
        scopes.append(values)
        render(template)
        scopes.removeLast()
    }

    private func value(_ key: TemplateName) -> TemplateValues.Value? {
        for index in scopes.indices.reversed() { if let value = scopes[index][key] { return value } }
        return nil
    }
}

/// Templates that may include each other.
struct TemplateLibrary: Sendable {
    private static let maximumDepth = 4

    private let templates: [String: Template]

    /// - Parameters:
    ///   - sources: The texts of the templates in UTF-8, by name.
    ///   - words: The words that they contain, which become a part of them here, so that rendering looks none up.
    /// - Throws: ``FeedError`` `.storage` if a template is malformed, or if a word or a partial is unknown, or if partials
    ///   contain each other more than ``maximumDepth`` deep.
    init(_ sources: [String: [UInt8]], words: TemplateText = EnglishText().words) throws(FeedError) {
        let named = words.named
        var templates: [String: Template] = [:]
        for (name, source) in sources {
            let filled = try TemplateText.fill(source, with: named, name: name)
            templates[name] = try TemplateParser.parse(filled, name: name)
        }
        self.templates = templates
        for name in templates.keys.sorted() { try check(name, depth: 0) }
    }

    private func check(_ name: String, depth: Int) throws(FeedError) {
        for partial in templates[name]?.partials ?? [] {
            guard templates[partial] != nil, depth < Self.maximumDepth else {
                throw TemplateParser.malformed(
                    name, "includes \(partial), which is unknown or includes too many others")
            }
            try check(partial, depth: depth + 1)
        }
    }

    /// Renders a template in UTF-8.
    /// - Parameter name: The name of a template; an unknown one renders as nothing.
    func render(_ name: String, _ values: TemplateValues) -> [UInt8] {
        guard let template = templates[name] else { return [] }
        var renderer = TemplateRenderer(partials: templates, values: values)
        renderer.render(template)
        return renderer.bytes
    }
}
