"""As much of discord.py 2 as the example needs, without Discord."""


class Intents:
    message_content = False

    @classmethod
    def default(cls) -> "Intents":
        return cls()
