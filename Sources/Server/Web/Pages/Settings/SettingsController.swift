import FeedCore
import HTTPTypes

/// The page that leads to all settings: `/settings`.
struct SettingsController: Sendable {
    /// A page of the settings.
    private struct Entry {
        let path: String
        let title: String
        let text: String
    }

    let pages: MemberPages

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/settings", .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                var shown = try pages.page("Settings", for: request, context)
                let account = try context.require().account
                shown.showRows(entries(for: account).map { TemplateValues($0.title, $0.text, at: $0.path) })
                return pages.response(with: shown, context)
            }
        }
    }

    private func entries(for account: Account) -> [Entry] {
        let invites = InvitationPageController.isAllowed(account, pages.settings)
        return Self.account + Self.people + Self.content + (invites ? Self.invitations : []) + Self.end
    }

    private static let account = [
        Entry(path: "/settings/profile", title: "Profile", text: "Name, picture, header, fields, and who finds you"),
        Entry(
            path: "/settings/preferences", title: "Preferences",
            text: "Visibility and language of new posts, time zone, colours"),
        Entry(path: "/settings/password", title: "Password", text: "Change it, which ends all other logins"),
        Entry(path: "/settings/logins", title: "Logins and tokens", text: "Browsers, apps and programs of yours"),
    ]
    private static let people = [
        Entry(path: "/settings/mutes", title: "Muted accounts", text: "Whose posts you do not see"),
        Entry(path: "/settings/blocks", title: "Blocked accounts", text: "Who also does not see yours"),
        Entry(path: "/lists", title: "Lists", text: "Timelines of some of the people you follow"),
        Entry(path: "/followed_tags", title: "Followed hashtags", text: "Posts with them are on your home page"),
    ]
    private static let content = [
        Entry(path: "/settings/filters", title: "Filters", text: "Posts that you want to see folded, or not at all"),
        Entry(path: "/settings/scheduled", title: "Scheduled posts", text: "Posts that are published later"),
        Entry(path: "/settings/files", title: "Files", text: "Upload, replace, delete and attach files"),
    ]
    private static let invitations = [
        Entry(path: "/settings/invitations", title: "Invitations", text: "Let people sign up")
    ]
    private static let end = [
        Entry(path: "/settings/delete", title: "Delete my account", text: "With everything that belongs to it")
    ]
}

extension TemplateValues {
    /// An entry of a list, with a text about it.
    init(_ title: String, _ text: String, at path: String? = nil, buttons: [PageButton] = []) {
        self.init(row: title, at: path ?? "", buttons: buttons)
        set(.rowURL, path)
        set(.excerpt, text.nonEmpty)
    }
}
