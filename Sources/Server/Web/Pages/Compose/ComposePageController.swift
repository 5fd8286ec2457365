import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The pages on which members post and reply, `/compose`, and edit their statuses. Files can be added before: the form
/// then returns with them.
struct ComposePageController: Sendable {
    let statuses: StatusStore
    let publishing: StatusPublishing
    let uploads: ComposeUploads
    let baseURL: BaseURL
    let page: ComposePage
    let errors: ErrorPage
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/compose", .member(.writeStatuses)) { request, context in
            try await errors.form { try await show(request, context) }
        }
        endpoints.get("/compose/scheduled/:id", .member(.writeStatuses)) { request, context in
            try await errors.form { try await showScheduled(request, context) }
        }
        endpoints.post("/compose", .member(.writeStatuses)) { request, context in
            try await errors.form { try await submit(request, context, editing: nil) }
        }
        endpoints.get("/statuses/:id/edit", .member(.writeStatuses)) { request, context in
            try await errors.form { try await showEdit(request, context) }
        }
        endpoints.post("/statuses/:id/edit", .member(.writeStatuses)) { request, context in
            try await errors.form { try await submit(request, context, editing: try await own(context)) }
        }
    }

    private func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        guard let id = try request.query.id(.inReplyToID) else {
            var state = ComposeForm(for: account)
            // Files that have been attached elsewhere.
            try await uploads.addPresent(try request.query, to: &state, of: account)
            return try page.form(state, request, context)
        }
        guard let target = try await statuses.status(id: id, for: context.reader?.id) else { throw FeedError.notFound }
        return try page.form(ComposeForm(replyTo: target, by: account), request, context)
    }

    /// Confirms that a status has been scheduled.
    private func showScheduled(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        let scheduled = try await publishing.schedules.status(id: try context.id(), of: account.id)
        guard let scheduled else { throw FeedError.notFound }
        var state = ComposeForm(for: account)
        let locale = page.assets.locale(for: request, context)
        state.notice = locale.text.scheduled(at: locale.date(scheduled.scheduledAt))
        return try page.form(state, request, context)
    }

    private func showEdit(_ request: Request, _ context: RequestContext) async throws -> Response {
        let account = try context.require().account
        var state = ComposeForm(editing: try await own(context), by: account)
        state.next = try request.query.next
        return try page.form(state, request, context)
    }

    /// The member's status that the path names.
    private func own(_ context: RequestContext) async throws -> Status {
        let account = try context.require().account.id
        let status = try await statuses.status(id: try context.id(), for: account)
        guard let status, status.account.id == account, status.boost == nil else { throw FeedError.notFound }
        return status
    }

    private func submit(_ request: Request, _ context: RequestContext, editing old: Status?) async throws -> Response {
        let form = try await uploads.receive(request, context)
        do {
            let response = try await respond(to: form, request, context, editing: old)
            await form.discard()
            return response
        } catch {
            await form.discard()
            throw error
        }
    }

    private func respond(
        to form: MultipartForm, _ request: Request, _ context: RequestContext, editing old: Status?
    ) async throws -> Response {
        let (viewer, input) = (try context.require(), form.values)
        var state = ComposeForm(input, for: viewer.account, editing: old)
        try await uploads.addPresent(input, to: &state, of: viewer.account)
        if let id = state.replyID { state.setTarget(try await statuses.status(id: id, for: viewer.account.id)) }
        do {
            try await uploads.add(form, to: &state, context)
        } catch let error as FeedError where Self.isShown(error) {
            return try refused(error, at: .media, state, request, context)
        }
        if let text = input["remove"] {
            try await uploads.remove(Int64(text) ?? 0, from: &state, of: viewer.account)
            return try page.form(state, request, context)
        }
        if state.isMissingFile {
            let error = FeedError(.invalid, "A file is gone", hint: "Add it again.")
            return try refused(error, at: .media, state, request, context)
        }
        guard input["add"] == nil else { return try page.form(state, request, context) }
        return try await publish(state, input, request, context)
    }

    private func publish(
        _ state: ComposeForm, _ input: RequestParameters, _ request: Request, _ context: RequestContext
    ) async throws -> Response {
        let viewer = try context.require()
        // The part that is read next; of what is stored, the refusal tells.
        var part = ComposeForm.Part.poll
        do {
            let draft = try state.draft(input, viewer)
            part = .schedule
            let time = state.scheduledAt.isEmpty ? nil : try input.scheduledAt(in: state.zone)
            part = .text
            return try await store(draft, at: time, state, request, viewer.account)
        } catch let error as FeedError where Self.isShown(error) {
            let place = part == .text ? try self.part(of: error, state, input, viewer) : part
            return try refused(error, at: place, state, request, context)
        }
    }

    private func store(
        _ draft: StatusDraft, at time: Int64?, _ state: ComposeForm, _ request: Request, _ account: Account
    ) async throws -> Response {
        let host = BaseURL.host(try baseURL.text(for: request))
        if let old = state.edited {
            let status = try await publishing.posting(on: host).edit(old.id, to: draft, by: account)
            return .back(to: status.id, at: state.next ?? LocalPath("/@\(account.username)/\(status.id)"))
        }
        try uploads.counts.count(.post, account)
        guard let time else {
            return .page(of: try await publishing.posting(on: host).post(draft, by: account))
        }
        switch try await publishing.scheduling(on: host).schedule(draft, at: time, by: account) {
        case .scheduled(let scheduled):
            return Response(status: .seeOther, headers: [.location: "/compose/scheduled/\(scheduled.id)"])
        case .published(let status): return .page(of: status)
        }
    }

    /// The part of the form that a refusal is about, found by repeating the checks.
    private func part(
        of error: FeedError, _ state: ComposeForm, _ input: RequestParameters, _ viewer: Viewer
    ) throws -> ComposeForm.Part {
        let draft = try state.draft(input, viewer)
        let checks: [(ComposeForm.Part, () throws -> Void)] = [
            (.poll, { try draft.checkPoll() }),
            (.media, { try AttachmentRule.check(draft, uploads.settings.limits.media) }),
            (.media, { try AttachmentRule.check(state.files.map(\.media.kind)) }),
            (
                .schedule,
                {
                    if let time = try input.scheduledAt(in: state.zone) {
                        try ScheduledStatusRule.check(time, at: clock.now())
                    }
                }
            ),
        ]
        for (part, check) in checks {
            do { try check() } catch let other as FeedError where other.message == error.message { return part } catch {
            }
        }
        return .text
    }

    /// Whether the form is shown again: unless the server has failed.
    private static func isShown(_ error: FeedError) -> Bool { error.kind != .storage && error.kind != .diskFull }

    /// Shows the form again, with everything in it.
    private func refused(
        _ error: FeedError, at part: ComposeForm.Part, _ state: ComposeForm, _ request: Request,
        _ context: RequestContext
    ) throws -> Response {
        var state = state
        state.refusal = (part, page.assets.language(for: request, context).text.plainMessage(error))
        var response = try page.form(state, request, context)
        response.status = LoginRefusal.status(error)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}

extension ComposeForm {
    /// The status to be posted.
    fileprivate func draft(_ input: RequestParameters, _ viewer: Viewer) throws(FeedError) -> StatusDraft {
        var draft = try StatusDraft(input, viewer, editing: edited)
        (draft.text, draft.spoilerText, draft.sensitive) = (text, spoilerText, hidesMedia)
        draft.useWarningAsText()
        (draft.visibility, draft.language) = (visibility, language)
        draft.poll = poll.draft(editing: edited?.poll)
        draft.mediaIDs = files.map(\.id)
        for file in files { draft.mediaChanges[file.id] = try file.draft() }
        draft.idempotencyKey = edited == nil ? idempotencyKey : nil
        return draft
    }
}

extension Response {
    /// Leads to the page of a new status.
    fileprivate static func page(of status: Status) -> Response {
        Response(status: .seeOther, headers: [.location: "/@\(status.account.username)/\(status.id)"])
    }
}
