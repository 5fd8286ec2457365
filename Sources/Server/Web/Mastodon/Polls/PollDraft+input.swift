import FeedCore

extension PollDraft {
    /// Reads `poll` of a new or edited status: an object in JSON, `poll[options][]` and others in a form; `nil` if it is
    /// missing.
    /// - Throws: ``FeedError`` `.invalid` if the duration is not a number. ``check()`` checks everything else.
    init?(_ input: InputValues) throws(FeedError) {
        guard input.hasMembers(of: "poll") || input.emptyLists.contains("poll[options]") else { return nil }
        self.init(
            options: input.all("poll[options]"),
            seconds: try input.integer(.pollSeconds, in: .min ... .max, "Expires in must be a number of seconds"),
            isMultiple: input.flag("poll[multiple]") ?? false,
            hidesTotals: input.flag("poll[hide_totals]") ?? false)
    }
}
