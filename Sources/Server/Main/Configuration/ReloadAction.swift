/// An action that SIGHUP runs. It logs its own result; after an error, the current values stay in force.
struct ReloadAction: Sendable {
    let run: @Sendable () async -> Void
}
