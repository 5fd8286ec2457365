import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes the field `poll` of a status.
    mutating func poll(of status: Status, _ entities: EntityContext, _ marks: ViewerMarks?) {
        key("poll")
        guard let poll = status.poll else { return null() }
        self.poll(poll, of: status.account.id, entities, marks)
    }

    /// Writes a Poll entity.
    /// - Parameters:
    ///   - author: The author of the poll, who counts as having voted, as in Mastodon.
    ///   - marks: The votes that are included, instead of those that the poll contains; `nil` omits them.
    mutating func poll(_ poll: Poll, of author: Int64, _ entities: EntityContext, _ marks: ViewerMarks?) {
        object {
            $0.field("id", id: poll.id)
            $0.field("expires_at", time: poll.expiresAt)
            $0.field("expired", poll.isExpired)
            $0.field("multiple", poll.isMultiple)
            $0.field("votes_count", poll.votesCount)
            $0.field("voters_count", poll.votersCount)
            if let marks { $0.ownVotes(marks, isAuthor: marks.viewer == author) } else { $0.gap() }
            $0.array("options") { for option in poll.options { $0.option(option, showsVotes: poll.showsTotals) } }
            $0.emojis(in: poll.options.map(\.title), entities)
        }
    }

    /// Writes the fields of a Poll entity that depend on the viewer.
    mutating func ownVotes(_ own: ViewerMarks, isAuthor: Bool) {
        field("voted", isAuthor || !own.marks.votes.isEmpty)
        array("own_votes") { json in for number in own.marks.votes { json.int(number) } }
    }

    private mutating func option(_ option: Poll.Option, showsVotes: Bool) {
        object {
            $0.field("title", option.title)
            $0.key("votes_count")
            if showsVotes { $0.int(option.votesCount) } else { $0.null() }
        }
    }

    /// Writes the field `poll` of a StatusEdit.
    mutating func poll(of edit: StatusEdit) {
        key("poll")
        guard !edit.pollOptions.isEmpty else { return null() }
        object {
            $0.array("options") { for title in edit.pollOptions { $0.object { $0.field("title", title) } } }
        }
    }
}
