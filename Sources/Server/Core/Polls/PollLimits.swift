/// The limits on polls, those of Mastodon. They are not configurable, because apps rely on them.
package enum PollLimits {
    /// The number of options.
    package static let options = 2...4
    /// The maximum length of an option in grapheme clusters.
    package static let optionCharacters = 50
    /// The time in seconds for which a poll is open: five minutes to a month.
    package static let seconds: ClosedRange<Int64> = 300...2_629_746
}
