/// Something that SIGHUP reloads. It reports its own result, and after an error it keeps what is in force.
struct ReloadAction: Sendable {
    let run: @Sendable () async -> Void
}
