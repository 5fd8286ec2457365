import FeedCore
import HTTPTypes

/// The page that leads to all settings: `/settings`.
struct SettingsPageController: Sendable {
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/settings", .member(.readAccounts)) { request, context in
            try await pages.errors.form {
                var shown = try pages.page(\.settings, for: request, context)
                let invites = InvitationsPageController.isAllowed(try context.require().account, pages.settings)
                let entries = SettingsPage.allCases.filter { $0 != .invitations || invites }
                shown.showRows(
                    entries.map { page in
                        let entry = shown.text.entry(page)
                        return TemplateValues(entry.title, entry.text, at: page.rawValue)
                    })
                return pages.response(with: shown, context)
            }
        }
    }
}

/// A page of the settings. The raw values are the paths.
enum SettingsPage: String, CaseIterable, Sendable {
    case profile = "/settings/profile"
    case preferences = "/settings/preferences"
    case password = "/settings/password"
    case logins = "/settings/logins"
    case mutes = "/settings/mutes"
    case blocks = "/settings/blocks"
    case lists = "/lists"
    case hashtags = "/followed_tags"
    case filters = "/settings/filters"
    case scheduled = "/settings/scheduled"
    case files = "/settings/files"
    case invitations = "/settings/invitations"
    case removal = "/settings/delete"
}

extension TemplateValues {
    /// An entry of a list, with a text about it.
    init(_ title: String, _ text: String, at path: String? = nil, buttons: [PageButton] = []) {
        self.init(row: title, at: path ?? "", buttons: buttons)
        set(.rowURL, path)
        set(.excerpt, text.nonEmpty)
    }
}
