import FeedCore
import FeedStore
import HTTPTypes

/// The form with a member's private note about an account: `/@NAME/note`.
struct AccountNotePageController: Sendable {
    let accounts: AccountStore
    let relationships: RelationshipStore
    let notes: AccountNoteStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/@{name}/note", .member(.readFollows)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await page(nil, nil, request, context), context)
            }
        }
        endpoints.post("/@{name}/note", .member(.writeAccounts)) { request, context in
            try await pages.errors.form { try await note(request, context) }
        }
    }

    private func note(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require().account
        let target = try await accounts.requireOther(try context.segment("name"), than: viewer)
        let input = try await request.input(upTo: pages.settings.limits.longFormBytes, context: context)
        // Browsers send line breaks as CR LF.
        let comment = (try input.one("comment") ?? "").replacing("\r\n", with: "\n")
        return try await pages.submit(request, context) { refusal in
            try await page(comment, refusal.message, request, context)
        } _: {
            try await notes.note(comment, about: target.id, by: viewer.id)
            return .redirect(after: input, to: "/@" + target.username)
        }
    }

    /// - Parameter text: What was typed; `nil` for the stored note.
    private func page(
        _ text: String?, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let viewer = try context.require().account
        let target = try await accounts.requireOther(try context.segment("name"), than: viewer)
        let stored = try await relationships.relationships(of: viewer.id, to: [target.id]).first?.note
        var shown = try pages.page({ $0.note(about: target.username) }, for: request, context)
        var form = TemplateValues(form: "note", about: target, message: message)
        form.set(.formText, shown.text.noteHint)
        form.set(.commentLabel, shown.text.note)
        form.set(.comment, text ?? stored ?? "")
        form.set(.submitLabel, shown.text.save)
        shown.set(.reportForm, .object(form))
        return shown
    }
}
