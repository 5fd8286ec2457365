import FeedCore
import FeedStore
import HTTPTypes

/// The page of a status, with its conversation, and the pages of its pictures.
struct StatusPageController: Sendable {
    private static let noSuchPost = FeedError(.notFound, "No such post", hint: "It may have been deleted.")

    let pages: PageController
    let statuses: StatusStore

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.page("/@{name}/:id", .open, pages.page { try await status(&$0, $1, $2) })
        endpoints.page("/@{name}/:id/media/:number", .open, pages.page { try await picture(&$0, $1, $2) })
        endpoints.get("/statuses/:id", .open, use: permalink)
    }

    private func status(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> CacheInvalidation {
        let viewer = context.reader?.id
        let status = try await shownStatus(context)
        let author = status.account.displayNameOrUsername
        page.setTitle(of: status)
        page.setCanonical("/@\(status.account.username)/\(status.id)")
        if status.visibility == .public {
            page.setFeed(
                "/@\(status.account.username)/\(status.id)/feed", title: page.text.repliesTo(author), isShown: false)
        }
        page.setPreview(of: status)
        page.setIndexing(status.account)
        page.filters = try await pages.filters.of(context.viewer, in: .thread)
        let thread = PageThread(status, in: try await statuses.context(of: status.id, for: viewer))
        page.show(thread, names: try await ReplyNames(of: thread.statuses, in: pages.accounts))
        return thread.dependencies(for: viewer)
    }

    /// A file of a status, with its description.
    private func picture(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> CacheInvalidation {
        let status = try await shownStatus(context)
        let number = Int(try context.segment("number")) ?? 0
        guard status.media.indices.contains(number - 1), String(number) == context.parameters.get("number") else {
            throw FeedError(.notFound, "The post has no such picture", hint: nil)
        }
        page.showMedia(number, of: status)
        page.setIndexing(status.account)
        return CacheInvalidation(showing: [status], to: context.reader?.id)
    }

    /// The status whose author and id are in the path.
    private func shownStatus(_ context: RequestContext) async throws -> Status {
        let (id, name) = (try context.id(), Username.key(try context.segment("name")))
        guard let status = try await statuses.status(id: id, for: context.reader?.id),
            Username.key(status.account.username) == name
        else { throw Self.noSuchPost }
        return status
    }

    /// Redirects from the id of a status to its page. A link from a reply to its parent contains only the id.
    @Sendable private func permalink(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let status = try await statuses.status(id: try context.id(), for: context.reader?.id) else {
            throw Self.noSuchPost
        }
        return Response(status: .found, headers: [.location: "/@\(status.account.username)/\(status.id)"])
    }
}

/// The statuses on the page of a status: what it replies to, the status, and the replies to it.
struct PageThread {
    /// The maximum number of statuses above the status; the nearest are shown.
    static let maximumAncestors = 40
    /// The maximum number of replies.
    static let maximumReplies = 80

    let focus: Status
    /// The statuses to show, in their order on the page.
    let statuses: [Status]
    /// The first status on the page, if the conversation starts before it.
    let start: Status?
    /// Whether there are more replies than the page shows.
    let hasMore: Bool
    /// Other statuses of the conversation, which decide what is shown.
    private let others: Set<Int64>

    /// - Parameter context: What the viewer may see of the conversation; `nil` for nothing.
    init(_ status: Status, in context: StatusContext?) {
        focus = status
        let (above, below) = (context?.ancestors ?? [], context?.descendants ?? [])
        let ancestors = Array(above.suffix(Self.maximumAncestors))
        statuses = ancestors + [status] + below.prefix(Self.maximumReplies)
        start = above.count > ancestors.count ? ancestors.first : nil
        hasMore = below.count > Self.maximumReplies
        others = Set((above + below).map(\.id)).union(context?.hidden ?? [])
    }

    /// The dependencies of the page. They include statuses that it does not show, because a reply to any of them, or
    /// its deletion, may change the rest of the page.
    /// - Parameter viewer: The account to which the page is shown; `nil` for visitors.
    func dependencies(for viewer: Int64?) -> CacheInvalidation {
        var dependencies = CacheInvalidation(showing: statuses, to: viewer)
        dependencies.statuses.formUnion(others)
        return dependencies
    }
}

/// The levels of the replies to a status, which a page shows as nested lists. However deep a conversation is, the lists
/// are not: deeper replies follow each other in the innermost one.
enum ReplyLevels {
    static let maximum = 6

    /// - Parameter replies: Each is followed by the replies to it. A reply to a status that is not among them is shown like
    ///   one to `focus`.
    /// - Returns: The levels from 1, in the order of the replies.
    static func of(_ replies: some Sequence<Status>, to focus: Int64) -> [Int] {
        var path = [focus]
        return replies.map { reply in
            let parent = path.lastIndex { $0 == reply.inReplyToID } ?? 0
            path.removeSubrange((parent + 1)...)
            path.append(reply.id)
            return min(parent + 1, maximum)
        }
    }

    /// The tags before a reply.
    /// - Parameters:
    ///   - previous: The level of the reply before it, 0 before the first.
    ///   - label: The name of the outermost list.
    static func opening(_ level: Int, after previous: Int, label: String) -> String {
        if level > previous { return Self.open(label: previous == 0 ? label : nil) }
        return "</li>" + String(repeating: "</ol></li>", count: previous - level) + "<li>"
    }

    /// The tags after the last reply.
    static func closing(_ level: Int) -> String { String(repeating: "</li></ol>", count: level) }

    private static func open(label: String?) -> String {
        "<ol class=\"replies\" role=\"list\"" + (label.map { " aria-label=\"\($0)\"" } ?? "") + "><li>"
    }
}

extension PageContext {
    /// Shows a file of a status.
    /// - Parameter number: The number of the file, from 1.
    mutating func showMedia(_ number: Int, of status: Status) {
        let (media, address) = (status.media[number - 1], "/@\(status.account.username)/\(status.id)")
        template = "picture"
        let heading = text.heading(media.kind, number, of: status.media.count)
        setTitle("\(heading): \(title(of: status))", heading: heading)
        setPreview(of: status)
        setCanonical("\(address)/media/\(number)")
        set(.url, address)
        set(.name, emoji.value(status.account.displayNameOrUsername))
        set(.language, FeedText.language(status.language))
        set(.sensitive, status.sensitive || !status.spoilerText.isEmpty)
        if !status.spoilerText.isEmpty { set(.spoiler, emoji.value(status.spoilerText)) }
        set(.caption, media.description?.nonEmpty)
        set(.file, .object(TemplateValues(media, text)))
        if number > 1 { set(.newer, "\(address)/media/\(number - 1)") }
        if number < status.media.count { set(.older, "\(address)/media/\(number + 1)") }
    }

    /// Sets a title by which the page of a status can be told from others.
    mutating func setTitle(of status: Status) {
        setTitle(title(of: status), heading: status.account.displayNameOrUsername)
    }

    private func title(of status: Status) -> String {
        let summary = MediaText.summary(of: status.media, text)
        let title =
            FeedText.title(start(of: status)).nonEmpty ?? summary.nonEmpty ?? text.post(by: status.account.username)
        return "\(FeedText.title(status.account.displayNameOrUsername)): \(title) – \(site.title)"
    }

    /// The warning of a status, or its text.
    private func start(of status: Status) -> String {
        status.spoilerText.isEmpty ? status.text : "\(text.words.contentWarning): \(status.spoilerText)"
    }

    /// Sets what other sites show when somebody links to the page of a status: nothing that is behind a warning.
    mutating func setPreview(of status: Status) {
        let start = start(of: status).prefix(200).unicodeScalars.prefix(800)
        set(.description, start.isEmpty ? MediaText.summary(of: status.media, text) : String(start))
        guard !status.sensitive, status.spoilerText.isEmpty,
            let image = status.media.first(where: { $0.kind == .image })
        else { return }
        set(.image, base + (image.previewPath ?? image.path))
        set(.imageText, image.description)
    }
}
