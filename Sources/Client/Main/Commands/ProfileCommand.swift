import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// Shows and changes the profile of the account.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show or change your profile.",
        discussion: """
            The keys of --set are display_name, note, locked, bot, discoverable, indexable and hide_collections; avatar \
            and header with the path of a picture; privacy, sensitive and language for new posts; and field.NAME for a \
            row of the table in your profile. An empty value removes a picture or a row.

              feedclient profile --set display_name="Ada Lovelace" --set locked=true
              feedclient profile --set avatar=me.png --set field.Website=https://ada.example
            """)

    @OptionGroup var global: GlobalOptions
    @Option(name: .customLong("set"), help: .init("A change; may be repeated.", valueName: "key=value"))
    var changes: [String] = []
    @OptionGroup var stored: OfflineOptions
    @Flag(help: "Print the CredentialAccount entity as JSON.") var json = false

    func validate() throws {
        if stored.offline, !changes.isEmpty { throw ValidationError("--set cannot be combined with --offline.") }
    }

    func run() async throws {
        try await ErrorReporter.run {
            try global.login()
            let settings = try changes.map { try ProfileSetting($0) }
            let (profile, json) = try await stored.use(global) { try await Self.change($0, settings) }
            if self.json { return print(RawJSON.line(json)) }
            let output = ScreenOutput()
            let renderer = ProfileRenderer(columns: output.screen.wrapColumns, style: TextStyle(output.screen))
            output.show(renderer.lines(profile))
        }
    }

    private static func change(
        _ client: FeedClient, _ settings: [ProfileSetting]
    ) async throws -> (profile: Entity.Profile, json: [UInt8]) {
        guard !settings.isEmpty else { return try await client.profile() }
        var draft = ProfileChanges()
        // The table is replaced as a whole.
        if settings.contains(where: \.isRow) { draft.fields = try await client.profile().profile.source?.fields }
        for setting in settings { try setting.apply(to: &draft) }
        return try await client.updateProfile(draft)
    }
}
