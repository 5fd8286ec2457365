import ArgumentParser

/// How avatars are shown.
enum ImageOption: String, ExpressibleByArgument, CaseIterable { case auto, none, kitty, iterm }
