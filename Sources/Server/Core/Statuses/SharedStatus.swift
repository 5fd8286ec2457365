/// A status that several viewers get at the same time.
package struct SharedStatus: Sendable {
    /// What depends on the viewer of a status.
    package struct Marks: Sendable, Equatable {
        package var marks: Set<StatusMark> = []
        package var isBoosted = false
        /// The numbers of the options of its poll that the viewer has chosen, ascending.
        package var votes: [Int] = []

        package init() {}
    }

    /// The status without any marks.
    package var status: Status
    /// The marks by account. Accounts without an entry have none.
    package var marks: [Int64: Marks]

    package init(status: Status, marks: [Int64: Marks]) {
        self.status = status
        self.marks = marks
    }

    /// The status as an account gets it.
    package func status(for account: Int64) -> Status {
        guard let marks = marks[account] else { return status }
        var status = status
        status.marks = marks.marks
        status.isBoostedByViewer = marks.isBoosted
        status.poll?.ownVotes = marks.votes
        return status
    }
}
