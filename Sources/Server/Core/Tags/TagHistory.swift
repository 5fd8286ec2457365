/// The number of public statuses with a hashtag on each of the last days.
package struct TagHistory: Sendable, Equatable {
    /// The number of days, including today.
    package static let days: Int64 = 7

    /// The key of the hashtag.
    package var tag: String
    /// The hashtag as it is spelled in the oldest public status that contains it; otherwise its key.
    package var name: String
    /// The newest day first, without gaps.
    package var uses: [TagUse]

    /// - Parameters:
    ///   - name: See ``name``.
    ///   - known: The days on which the hashtag was used, in any order.
    ///   - today: The current day; see ``TagUse/day``.
    package init(_ tag: String, name: String? = nil, known: [TagUse], today: Int64) {
        self.tag = tag
        self.name = name ?? tag
        uses = (0..<Self.days).map { age in
            known.first { $0.day == today - age } ?? TagUse(day: today - age, uses: 0, accounts: 0)
        }
    }
}

/// The use of a hashtag on one day.
package struct TagUse: Sendable, Equatable {
    /// Days since 1970, UTC.
    package var day: Int64
    /// The number of public statuses.
    package var uses: Int
    /// The number of their authors.
    package var accounts: Int

    /// The length of a day in milliseconds.
    package static let milliseconds: Int64 = 86_400_000

    package init(day: Int64, uses: Int, accounts: Int) {
        self.day = day
        self.uses = uses
        self.accounts = accounts
    }

    /// The day of a time in milliseconds since 1970.
    package static func day(at time: Int64) -> Int64 { time / milliseconds }

    /// The day on which a status was posted.
    package static func day(ofStatus id: Int64) -> Int64 { day(at: id >> 16) }

    /// The lowest id of a status of a day. Days that no id can represent count as the last one.
    package static func firstID(of day: Int64) -> Int64 {
        min(max(day, 0), (Int64.max >> 16) / milliseconds) * milliseconds << 16
    }
}
