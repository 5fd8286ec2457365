import FeedCore
import HTTPTypes

/// A form on a page, with the reason for a refusal at the field that it is about.
struct PageForm: Sendable {
    typealias Choice = (value: String, label: String)

    /// The control of a field.
    enum Control: Sendable {
        /// A line of text, with the `type` of its element.
        case line(String)
        case area
        case select([Choice])
        /// A box that sends `true` or `false`.
        case check
        case checks([Choice])
        case file(accepts: String?, isMultiple: Bool)
        case hidden
    }

    struct Field: Sendable {
        let name: String
        let label: String
        let control: Control
        /// The stored or typed values; several for ``Control/checks(_:)``.
        var values: [String]
        var hint: String?
        var autocomplete = "off"
        var isRequired = false

        init(_ name: String, _ label: String, _ control: Control = .line("text"), _ value: String? = nil) {
            (self.name, self.label, self.control) = (name, label, control)
            values = value.map { [$0] } ?? []
        }

        static func hidden(_ name: String, _ value: String) -> Field { Field(name, "", .hidden, value) }

        static func check(_ name: String, _ label: String, _ isOn: Bool) -> Field {
            Field(name, label, .check, isOn ? "true" : "false")
        }

        static func password(_ name: String, _ label: String, isNew: Bool = false) -> Field {
            var field = Field(name, label, .line("password"))
            field.autocomplete = isNew ? "new-password" : "current-password"
            field.isRequired = true
            return field
        }

        func hint(_ text: String?) -> Field {
            var field = self
            field.hint = text
            return field
        }

        func required() -> Field {
            var field = self
            field.isRequired = true
            return field
        }
    }

    /// The reason why a form was refused.
    struct Refusal: Sendable {
        /// The name of the field; `nil` if it is about the whole form.
        let field: String?
        let message: String
    }

    let path: String
    let submit: String
    var heading: String?
    /// The path of a picture that the form changes.
    var image: String?
    var notes: [String] = []
    var fields: [Field] = []
    var refusal: Refusal?
    /// The page to which a link leads that changes nothing.
    var cancel: String?
    /// Whether the form only looks something up.
    var isSearch = false
}

/// A refusal that a form shows at one of its fields.
struct FieldRefusal: Error {
    let field: String
    let error: FeedError

    init(_ field: String, _ error: FeedError) { (self.field, self.error) = (field, error) }

    /// Makes a check whose refusal is about a field.
    static func at<Value>(_ field: String, _ check: () throws -> Value) throws -> Value {
        do { return try check() } catch let error as FeedError { throw FieldRefusal(field, error) }
    }
}

extension MemberPage {
    /// The refusals that a form shows. What the server fails to do, and what is not there, is a page of its own.
    private static let shown: Set<FeedError.Kind> = [
        .malformed, .unauthorized, .conflict, .tooLarge, .unsupported, .invalid, .rateLimited, .quota, .unavailable,
    ]

    /// Shows a form again after a refusal, with the reason.
    /// - Parameters:
    ///   - field: The field that a refusal is about unless it says so itself.
    ///   - page: The page with the form.
    func submit(
        _ request: Request, _ context: RequestContext, at field: String? = nil,
        again page: (PageForm.Refusal) async throws -> PageContext, _ change: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await change()
        } catch let refusal as FieldRefusal where Self.shown.contains(refusal.error.kind) {
            return try await refused(refusal.error, at: refusal.field, page, request, context)
        } catch let refusal as FieldRefusal {
            throw refusal.error
        } catch let error as FeedError where Self.shown.contains(error.kind) {
            return try await refused(error, at: field, page, request, context)
        }
    }

    private func refused(
        _ error: FeedError, at field: String?, _ page: (PageForm.Refusal) async throws -> PageContext,
        _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        let message = assets.language(for: request, context).text.plainMessage(error)
        let shown = try await page(PageForm.Refusal(field: field, message: message))
        var response = response(with: shown, context, status: LoginRefusal.status(error))
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// A page of the settings, which says that the last change is stored if its address does.
    func settings(
        _ title: (any PageText) -> String, _ request: Request, _ context: RequestContext
    ) throws -> PageContext {
        var shown = try page(title, for: request, context)
        shown.set(.notice, request.uri.query == "saved" ? shown.text.saved : nil)
        shown.set(.backURL, "/settings")
        shown.set(.backText, shown.text.settings)
        return shown
    }

    func input(_ request: Request, _ context: RequestContext) async throws -> RequestParameters {
        try await request.input(upTo: settings.limits.longFormBytes, context: context)
    }
}

extension Response {
    /// Leads to a page after a form, so that a reload does not repeat it.
    static func seeOther(_ path: String) -> Response { Response(status: .seeOther, headers: [.location: path]) }
}

extension PageContext {
    mutating func show(_ forms: [PageForm]) {
        set(.forms, .list(forms.enumerated().map { TemplateValues($1, number: $0) }))
    }
}

extension TemplateValues {
    /// - Parameter number: Distinguishes the forms of a page.
    fileprivate init(_ form: PageForm, number: Int) {
        self.init()
        let isAtField = form.fields.contains { $0.name == form.refusal?.field }
        set(.formHeading, form.heading)
        set(.formImage, form.image)
        self[.formNotes] = .texts(form.notes)
        set(.formMethod, form.isSearch ? "get" : "post")
        set(.formPath, form.path)
        set(.formFiles, form.fields.contains { if case .file = $0.control { true } else { false } })
        set(.formError, isAtField ? nil : form.refusal?.message)
        set(.submitLabel, form.submit)
        set(.cancelURL, form.cancel)
        self[.inputs] = .list(
            form.fields.enumerated().map { index, field in
                let message = field.name == form.refusal?.field ? form.refusal?.message : nil
                return TemplateValues(field, id: "field-\(number)-\(index)", message: message)
            })
    }

    private init(_ field: PageForm.Field, id: String, message: String?) {
        self.init()
        let described = [field.hint.map { _ in id + "-hint" }, message.map { _ in id + "-message" }]
        set(.inputID, id)
        set(.inputName, field.name)
        set(.inputValue, field.values.first ?? "")
        set(.inputHint, field.hint)
        set(.inputError, message)
        set(.inputDescribed, described.compactMap(\.self).joined(separator: " ").nonEmpty)
        set(.inputRequired, field.isRequired)
        setControl(of: field)
    }

    private mutating func setControl(of field: PageForm.Field) {
        switch field.control {
        case .check:
            set(.inputCheck, field.label)
            set(.inputOn, field.values.last.map(RequestParameters.isTrue) ?? false)
        case .checks(let choices):
            set(.inputChecks, field.label)
            setChoices(choices, of: field)
        case .hidden: set(.inputHidden, true)
        case .line, .area, .select, .file:
            set(.inputLabel, field.label)
            setLabeled(field)
        }
    }

    private mutating func setLabeled(_ field: PageForm.Field) {
        switch field.control {
        case .line(let type):
            set(.inputLine, type)
            set(.inputAutocomplete, field.autocomplete)
        case .area: set(.inputArea, true)
        case .select(let choices):
            set(.inputSelect, true)
            setChoices(choices, of: field)
        case .file(let types, let isMultiple):
            set(.inputFile, true)
            set(.inputAccepts, types)
            set(.inputMultiple, isMultiple)
        case .check, .checks, .hidden: break
        }
    }

    private mutating func setChoices(_ choices: [PageForm.Choice], of field: PageForm.Field) {
        self[.inputChoices] = .list(
            choices.map { TemplateValues($0.value, $0.label, isSelected: field.values.contains($0.value)) })
    }
}
