import FeedCore
import Logging

/// Lines of the log about the actions of administrators, with their name; the same for the API and the pages.
extension RequestContext {
    func log(_ action: ModerationAction, on account: Account) throws(FeedError) {
        guard let event = action.event else { return }
        try log("an account was \(event)", about: account)
    }

    func log(_ change: ReportChange, _ report: Report) throws(FeedError) {
        try log("a report was \(change.event)", about: report.target, ["report": "\(report.id)"])
    }

    /// - Parameter account: The account whose name the line contains, if any.
    func log(_ event: String, about account: Account?, _ details: [String: String] = [:]) throws(FeedError) {
        var metadata = Logger.Metadata(uniqueKeysWithValues: details.map { ($0.key, .string($0.value)) })
        metadata["by"] = "\(try require().account.username)"
        if let account { metadata["username"] = "\(account.username)" }
        logger.notice("\(event)", metadata: metadata)
    }
}

extension ModerationAction {
    /// `nil` for what changes no account.
    fileprivate var event: String? {
        switch self {
        case .none: nil
        case .silence: "silenced"
        case .unsilence: "unsilenced"
        case .suspend: "suspended"
        case .unsuspend: "unsuspended"
        case .remove: "removed"
        }
    }
}

extension ReportChange {
    fileprivate var event: String {
        switch self {
        case .assign: "assigned"
        case .unassign: "unassigned"
        case .resolve: "resolved"
        case .reopen: "reopened"
        }
    }
}
