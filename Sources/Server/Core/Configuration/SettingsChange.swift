/// What a reload of the settings changes. Pure.
package struct SettingsChange: Sendable {
    /// The names of the settings that have changed.
    package private(set) var applied: [String] = []
    /// The names of changed settings that take effect only after a restart.
    package private(set) var needRestart: [String] = []
    /// The settings that are in force after the reload.
    package private(set) var inForce: [EffectiveSetting] = []

    /// - Parameters:
    ///   - old: The settings in force.
    ///   - new: The settings that have been read, of the same names in the same order.
    package init(from old: [EffectiveSetting], to new: [EffectiveSetting]) {
        for (old, new) in zip(old, new) {
            let isChanged = old.value != new.value
            if isChanged { if new.reloads { applied.append(new.name) } else { needRestart.append(new.name) } }
            inForce.append(isChanged && !new.reloads ? old : new)
        }
    }

    /// One line for the log.
    package var summary: String {
        let changed = applied.isEmpty ? "nothing has changed" : "changed " + applied.joined(separator: ", ")
        guard !needRestart.isEmpty else { return "reloaded the settings: " + changed }
        return "reloaded the settings: \(changed); restart the server to change " + needRestart.joined(separator: ", ")
    }
}
