import FeedAPI
import FeedCore

/// The viewer's part of the entity of a status.
struct ViewerMarks: Sendable {
    let viewer: Int64
    let marks: SharedStatus.Marks
    /// The filters that match the status or its boost.
    let matches: [FilterMatch]

    init(_ marks: SharedStatus.Marks, of viewer: Int64, _ matches: [FilterMatch]) {
        (self.viewer, self.marks, self.matches) = (viewer, marks, matches)
    }

    /// - Parameter status: The status with the marks of the viewer.
    init(on status: Status, of viewer: Int64, _ matches: [FilterMatch]) {
        self.init(SharedStatus.Marks(on: status), of: viewer, matches)
    }
}

extension JSONWriter {
    /// Writes an array of Status entities.
    mutating func statuses(_ statuses: [Status], _ entities: EntityContext, viewer: Viewer?) {
        array { for index in statuses.indices { $0.status(statuses[index], entities, viewer: viewer) } }
    }

    /// Writes a Status entity. A boost contains the boosted status, and repeats its content for clients that ignore
    /// `reblog`.
    /// - Parameter viewer: The account whose own actions (`favourited`, `reblogged`, …) are included; `nil` omits them.
    mutating func status(
        _ status: Status, _ entities: EntityContext, viewer: Viewer?, _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let marks = viewer.map { ViewerMarks(on: status, of: $0.account.id, entities.filters.matches(status)) }
        self.status(status, entities, marks, more)
    }

    /// Writes a Status entity.
    /// - Parameter marks: What is included about the viewer, instead of what the status contains.
    mutating func status(
        _ status: Status, _ entities: EntityContext, _ marks: ViewerMarks?,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let (base, id) = (entities.base, status.boost?.id ?? status.id)
        object {
            $0.field("id", id: id)
            $0.field("created_at", time: status.boost?.createdAt ?? status.createdAt)
            $0.field("in_reply_to_id", id: status.inReplyToID)
            $0.field("in_reply_to_account_id", id: status.inReplyToAccountID)
            $0.field("sensitive", status.sensitive)
            $0.field("spoiler_text", status.spoilerText)
            $0.field("visibility", (status.boost?.visibility ?? status.visibility).apiName)
            $0.field("language", status.language)
            $0.key("uri")
            $0.address(base, "/@", status.boost?.account.username ?? status.account.username, id: id)
            $0.key("url")
            $0.address(base, "/@", status.account.username, id: status.id)
            $0.field("replies_count", status.repliesCount)
            $0.field("reblogs_count", status.reblogsCount)
            $0.field("favourites_count", status.favouritesCount)
            $0.field("edited_at", time: status.editedAt)
            $0.key("content")
            $0.html(status.content, base: base)
            $0.reblog(status, entities, marks)
            $0.application(status)
            $0.key("account")
            $0.account(status.boost?.account ?? status.account, entities)
            $0.attachments(status.media, entities)
            $0.mentions(status.mentions, base: base)
            $0.tags(status.tags, base: base)
            $0.emojis(in: status.textsWithEmoji, entities)
            $0.field("card", nil)
            $0.poll(of: status, entities, marks)
            if let marks {
                $0.own(marks, canPin: marks.viewer == status.account.id && status.visibility != .direct)
            } else {
                $0.gap()
            }
            more(&$0)
        }
    }

    private mutating func reblog(_ status: Status, _ entities: EntityContext, _ marks: ViewerMarks?) {
        key("reblog")
        guard status.boost != nil else { return null() }
        var original = status
        original.boost = nil
        self.status(original, entities, marks)
    }

    /// Writes the fields of a Status entity that depend on the viewer.
    /// - Parameter canPin: Whether the viewer could pin the status.
    mutating func own(_ own: ViewerMarks, canPin: Bool) {
        field("favourited", own.marks.marks.contains(.favourite))
        field("reblogged", own.marks.isBoosted)
        field("muted", own.marks.marks.contains(.conversationMute))
        field("bookmarked", own.marks.marks.contains(.bookmark))
        if canPin { field("pinned", own.marks.marks.contains(.pin)) }
        filtered(own.matches)
    }

    /// Writes a Context entity.
    mutating func context(_ context: StatusContext, _ entities: EntityContext, viewer: Viewer?) {
        object {
            $0.key("ancestors")
            $0.statuses(context.ancestors, entities, viewer: viewer)
            $0.key("descendants")
            $0.statuses(context.descendants, entities, viewer: viewer)
        }
    }

    /// Writes a StatusEdit entity.
    mutating func edit(_ edit: StatusEdit, of status: Status, _ entities: EntityContext) {
        object {
            $0.key("content")
            $0.html(edit.content, base: entities.base)
            $0.field("spoiler_text", edit.spoilerText)
            $0.field("sensitive", edit.sensitive)
            $0.field("created_at", time: edit.createdAt)
            $0.key("account")
            $0.account(status.account, entities)
            $0.poll(of: edit)
            $0.attachments(edit.media, entities)
            $0.emojis(in: [edit.content, edit.spoilerText], entities)
        }
    }

    private mutating func attachments(_ attachments: [MediaAttachment], _ entities: EntityContext) {
        array("media_attachments") { for attachment in attachments { $0.media(attachment, entities) } }
    }

    private mutating func application(_ status: Status) {
        key("application")
        guard !status.source.isEmpty else { return null() }
        object {
            $0.field("name", status.source)
            $0.field("website", status.sourceWebsite.flatMap { ClientApplication.isWebAddress($0) ? $0 : nil })
        }
    }

    private mutating func mentions(_ mentions: [Status.Mention], base: String) {
        array("mentions") {
            for mention in mentions {
                $0.object {
                    $0.field("id", id: mention.id)
                    $0.field("username", mention.username)
                    $0.field("acct", mention.username)
                    $0.key("url")
                    $0.address(base, "/@", mention.username)
                }
            }
        }
    }

    private mutating func tags(_ tags: [String], base: String) {
        array("tags") {
            for tag in tags {
                $0.object {
                    $0.field("name", Hashtag.lowercased(tag))
                    $0.key("url")
                    $0.address(base, "/tags/", Hashtag.key(tag).percentEncodedSegment)
                }
            }
        }
    }
}

extension StatusTemplate {
    /// The fields that depend on the viewer. Most viewers have equal ones.
    struct OwnFields: Sendable, Hashable {
        /// Of an anonymous visitor.
        static let none = OwnFields()

        /// The fields of the status, each preceded by a comma.
        fileprivate let status: [UInt8]
        /// The fields of its poll, likewise.
        fileprivate let poll: [UInt8]

        private init() { (status, poll) = ([], []) }

        /// - Parameter status: The status with the marks of the viewer.
        init(_ status: Status, viewer: Int64, matches: [FilterMatch]) {
            let (marks, isAuthor) = (ViewerMarks(on: status, of: viewer, matches), viewer == status.account.id)
            self.status = Self.fields { $0.own(marks, canPin: isAuthor && status.visibility != .direct) }
            poll = status.poll == nil ? [] : Self.fields { $0.ownVotes(marks, isAuthor: isAuthor) }
        }

        private static func fields(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
            var json = JSONWriter(capacity: 128)
            json.object(write)
            return [UInt8(ascii: ",")] + json.bytes.dropFirst().dropLast()
        }
    }

    /// - Parameter status: The status; its marks are left out.
    init(_ status: Status, _ entities: EntityContext) {
        var json = JSONWriter(capacity: 4096, recordsGaps: true)
        json.status(status, entities, viewer: nil)
        // Without the unused capacity, which an array of a slice would share.
        self.init(bytes: json.bytes.withUnsafeBufferPointer { Array($0) }, gaps: json.gaps ?? [], of: status)
    }

    /// Whether a gap is that of the poll, which comes before the fields of its status. A boost contains the fields twice,
    /// because it repeats the content of the boosted status.
    func isPoll(_ gap: Int) -> Bool { hasPoll && gap.isMultiple(of: 2) }

    /// The complete JSON.
    func filled(with own: OwnFields) -> [UInt8] {
        guard own != .none else { return bytes }
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + gaps.count * max(own.status.count, own.poll.count))
        var start = 0
        for (index, gap) in gaps.enumerated() {
            filled += bytes[start..<gap]
            filled += isPoll(index) ? own.poll : own.status
            start = gap
        }
        return filled + bytes[start...]
    }
}

extension JSONWriter {
    /// Writes a Status entity, for an anonymous visitor without the fields that depend on the viewer.
    mutating func status(_ template: StatusTemplate, _ marks: ViewerMarks?) {
        guard let marks else { return encoded(template.bytes) }
        encoded(template.bytes, gaps: template.gaps) { json, gap in
            if template.isPoll(gap) {
                json.ownVotes(marks, isAuthor: marks.viewer == template.references.author)
            } else {
                json.own(marks, canPin: template.canPin(marks.viewer))
            }
        }
    }
}
