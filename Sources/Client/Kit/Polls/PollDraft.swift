/// A poll that has not been posted yet.
public struct PollDraft: Codable, Sendable, Equatable {
    /// The texts of the options; most servers accept two to four of 50 characters.
    public var options: [String]
    /// The time in seconds from the publication to the end of the poll.
    public var seconds: Int
    /// Whether a voter may choose several options.
    public var isMultiple = false
    /// Whether the votes for each option stay hidden until the poll has ended.
    public var hidesTotals = false

    public init(options: [String], seconds: Int = 86_400) {
        self.options = options
        self.seconds = seconds
    }

    /// The fields of a form.
    var fields: [(String, String?)] {
        options.map { ("poll[options][]", $0) } + [
            ("poll[expires_in]", String(seconds)), ("poll[multiple]", String(isMultiple)),
            ("poll[hide_totals]", String(hidesTotals)),
        ]
    }
}
