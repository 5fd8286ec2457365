import ArgumentParser
import FeedClientKit

/// The options of `post` that describe a poll. Those of toot are accepted, too.
struct PollOptions: ParsableArguments {
    @Option(
        name: [.customLong("poll"), .customLong("poll-option")], parsing: .unconditionalSingleValue,
        help: .init("An option of a poll; at least twice.", valueName: "option"))
    var options: [String] = []
    @Option(
        name: [.customLong("poll-expires"), .customLong("poll-expires-in")],
        help: .init("The time for which the poll is open, such as 30m or 1d 12h.", valueName: "duration"))
    var expires = DurationArgument(seconds: 86_400)
    @Flag(name: .customLong("poll-multiple"), help: "Allow several choices.") var isMultiple = false
    @Flag(name: .customLong("poll-hide-totals"), help: "Hide the results until the poll ends.") var hidesTotals = false

    func validate() throws {
        guard options.isEmpty else {
            guard options.count > 1 else { throw ValidationError("A poll needs at least two options.") }
            return
        }
        guard !isMultiple, !hidesTotals else { throw ValidationError("A poll needs options: --poll OPTION.") }
    }

    /// `nil` without options.
    var draft: PollDraft? {
        guard !options.isEmpty else { return nil }
        var draft = PollDraft(options: options, seconds: expires.seconds)
        (draft.isMultiple, draft.hidesTotals) = (isMultiple, hidesTotals)
        return draft
    }
}
