import FeedCore
import FeedStore
import HTTPTypes

/// The posts of a member that are published later: `/settings/scheduled`, `/settings/scheduled/ID`.
struct ScheduledStatusesPageController: Sendable {
    private static let path = "/settings/scheduled"

    let publishing: StatusPublishing
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Self.path, .member(.readStatuses)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await list(request, context), context)
            }
        }
        endpoints.get(Self.path + "/:id", .member(.readStatuses)) { request, context in
            try await pages.errors.form {
                pages.response(with: try edit(try await require(context), nil, nil, request, context), context)
            }
        }
        endpoints.post(Self.path + "/:id", .member(.writeStatuses)) { request, context in
            try await pages.errors.form { try await move(request, context) }
        }
        endpoints.post(Self.path + "/:id/delete", .member(.writeStatuses)) { request, context in
            try await pages.errors.form {
                try await publishing.schedules.cancel(try context.id(), of: try context.require().account.id)
                return .seeOther(Self.path)
            }
        }
    }

    private func require(_ context: RequestContext) async throws -> ScheduledStatus {
        let account = try context.require().account.id
        guard let status = try await publishing.schedules.status(id: try context.id(), of: account) else {
            throw FeedError.notFound
        }
        return status
    }

    private func move(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (account, status) = (try context.require().account, try await require(context))
        let input = try await pages.input(request, context)
        return try await pages.submit(request, context, at: "scheduled_at") { refusal in
            try edit(status, input, refusal, request, context)
        } _: {
            guard let time = try input.scheduledAt(in: PageTimeZone(of: account)) else {
                throw FeedError.invalid("Enter a date and a time")
            }
            _ = try await publishing.scheduling(on: nil).move(status.id, to: time, of: account.id)
            return .seeOther(Self.path)
        }
    }

    private func list(_ request: Request, _ context: RequestContext) async throws -> PageContext {
        let account = try context.require().account
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let fetched = try await publishing.schedules.statuses(of: account.id, page: page.fetchingOneExtra)
        let (found, hasOlder) = page.split(fetched)
        var shown = try pages.settings({ $0.entry(.scheduled).title }, request, context)
        let (text, locale) = (shown.text, shown.locale)
        shown.showRows(
            found.map { status in
                let (excerpt, path) = (status.excerpt(text), "\(Self.path)/\(status.id)")
                return TemplateValues(
                    locale.date(status.scheduledAt), excerpt, at: path,
                    buttons: [PageButton(path: path + "/delete", label: text.words.delete, subject: excerpt)])
            })
        if found.isEmpty { shown.setEmpty(text.nothingScheduled) }
        shown.setPages(page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder)
        return shown
    }

    private func edit(
        _ status: ScheduledStatus, _ input: RequestParameters?, _ refusal: PageForm.Refusal?, _ request: Request,
        _ context: RequestContext
    ) throws -> PageContext {
        var shown = try pages.settings(\.scheduledPost, request, context)
        let (text, zone) = (shown.text, shown.zone)
        var form = PageForm(path: "\(Self.path)/\(status.id)", submit: text.changeTime)
        form.notes = [status.excerpt(text)]
        form.fields = [
            PageForm.Field(
                "scheduled_at", text.dateAndTime(in: zone.name), .line("datetime-local"),
                input?["scheduled_at"] ?? PageDate.field(status.scheduledAt, in: zone)
            )
            .required().hint(text.earliest(minutes: ScheduledStatusRule.minimumDelay / 60_000))
        ]
        form.refusal = refusal
        shown.show([form, PageForm(path: "\(Self.path)/\(status.id)/delete", submit: text.deleteScheduled)])
        shown.set(.backURL, Self.path)
        shown.set(.backText, text.entry(.scheduled).title)
        return shown
    }
}

extension ScheduledStatus {
    /// The beginning of the text, or what else the post contains.
    fileprivate func excerpt(_ text: any PageText) -> String {
        let files = media.isEmpty ? nil : text.files(media.count)
        let start = PageExcerpt.text(parameters.spoilerText.nonEmpty ?? parameters.text)
        return [start, files, parameters.poll == nil ? nil : text.words.poll].compactMap(\.self).joined(separator: "\n")
    }
}
