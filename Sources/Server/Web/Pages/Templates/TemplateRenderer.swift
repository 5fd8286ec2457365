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

    private func value(_ key: TemplateKey) -> TemplateValues.Value? {
        for index in scopes.indices.reversed() { if let value = scopes[index][key] { return value } }
        return nil
    }
}
