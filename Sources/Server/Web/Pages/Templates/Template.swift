import FeedCore

/// A page template in a subset of [Mustache](https://mustache.github.io/mustache.5.html): variables, sections, inverted
/// sections, partials and comments. It is parsed once; rendering copies bytes.
struct Template: Sendable {
    enum Part: Sendable {
        case bytes([UInt8])
        /// `{{name}}` or `{{{name}}}`; the type of the value, not the template, decides whether it is escaped.
        case value(TemplateKey)
        /// `{{.}}`, an element of a list of texts.
        case element
        /// `{{#name}}…{{/name}}`
        case section(TemplateKey, Template)
        /// `{{^name}}…{{/name}}`
        case inverted(TemplateKey, Template)
        /// `{{>name}}`
        case partial(String)
    }

    var parts: [Part] = []

    /// The names of the partials in this template and its sections.
    var partials: [String] {
        parts.flatMap { part -> [String] in
            switch part {
            case .partial(let name): [name]
            case .section(_, let template), .inverted(_, let template): template.partials
            case .bytes, .value, .element: []
            }
        }
    }
}

/// Templates that may include each other.
struct TemplateLibrary: Sendable {
    private let templates: [String: Template]

    /// - Parameter sources: The texts of the templates in UTF-8, by name.
    /// - Throws: ``FeedError`` `.storage` if a template is malformed, or if a partial is unknown or contains another.
    init(_ sources: [String: [UInt8]]) throws(FeedError) {
        var templates: [String: Template] = [:]
        for (name, source) in sources { templates[name] = try TemplateParser.parse(source, name: name) }
        for (name, template) in templates {
            for partial in template.partials where templates[partial]?.partials.isEmpty != true {
                throw TemplateParser.malformed(name, "includes \(partial), which is unknown or includes others")
            }
        }
        self.templates = templates
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
